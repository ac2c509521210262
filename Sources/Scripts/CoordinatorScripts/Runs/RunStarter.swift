import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// Starts runs. May be used from any thread.
final class RunStarter: Sendable {
  private let numbers = RunNumbers()
  private let socket: AskSocket
  private let hosts = Lock<[String: ScriptHost]>([:])
  /// Receives what scripts write, line by line, after the path of the coordinator or the name of the script.
  let report: @Sendable (String, String) -> Void
  /// Receives why scripts have failed, in lines, after the path of the coordinator.
  let failed: @Sendable (String, [String]) -> Void
  private let suspects = RunSuspects()
  /// Whether scripts are played: then nothing is left to chance, and no run waits before it does again what has been in vain.
  let isPlaying: Bool
  /// Whether chance is left to itself in a play, too, because a person plays.
  let hasRealChance: Bool
  /// What has to wait.
  let pauses = RunPauses()
  /// What may still do something.
  let departures: RunDepartures

  /// Creates a starter.
  ///
  /// - Parameters:
  ///   - directory: a directory for the socket of operations.
  ///   - isPlaying: whether the scripts are played.
  ///   - hasRealChance: whether chance is left to itself in a play, too.
  ///   - report: receives what scripts write, line by line, after the path of the coordinator or the name of the script.
  ///   - failed: receives why scripts have failed, in lines, after the path of the coordinator.
  /// - Throws: `AskSocket.Failed`.
  init(
    in directory: String, isPlaying: Bool = false, hasRealChance: Bool = false,
    report: @escaping @Sendable (String, String) -> Void,
    failed: @escaping @Sendable (String, [String]) -> Void = { _, _ in }
  ) throws {
    (self.isPlaying, self.hasRealChance, self.failed) = (isPlaying, hasRealChance, failed)
    socket = try AskSocket(in: directory, for: numbers)
    self.report = report
    let orphans = Departure()
    departures = RunDepartures(orphans: orphans)
    RunProcesses.adoptStrays()
    RunProcesses.endOrphans(of: directory) { orphans.come() }
    try socket.open()
  }

  /// Starts a run.
  ///
  /// - Throws: ``ScriptCrash`` if the script cannot be started.
  func start(_ order: RunOrder) throws(ScriptCrash) -> any ScriptRun {
    // What runs that were begun before print is what their scripts expect.
    if let evaluated = order.script.evaluated, order.log.features.contains(.assignments) {
      throw ScriptCrash(
        "eval would execute what ask prints here, which somebody has typed: add --assignments to ask, or put it into a variable",
        at: "\(order.script.file):\(evaluated.line)")
    }
    let report = report
    let run: any ScriptRun
    switch order.script.kind {
    case .processes:
      let name = order.instance.path.description
      run = try ProcessRun(numbers.next(), order, socket: socket.path, runs: numbers) { report(name, $0) }
    case .host: run = try hosted(order)
    }
    departures.add(run, of: order.instance.name)
    return run
  }

  private func hosted(_ order: RunOrder) throws(ScriptCrash) -> HostedRun {
    guard suspects.needsHost(order.instance.name) else { return try host(of: order.script).start(numbers.next(), order) }
    let host = try newHost(of: order.script)
    suspects.keep(host)
    let run = host.start(numbers.next(), order)
    host.endWhenIdle()
    return run
  }

  private func newHost(of script: Script) throws(ScriptCrash) -> ScriptHost {
    let (report, file) = (report, script.file)
    return try ScriptHost(
      numbers.next(), script, socket: socket.path, suspects: suspects,
      mishap: { [pauses, isPlaying] in if !isPlaying { pauses.note(script.path) } }
    ) { report(file, $0) }
  }

  /// Forgets a coordinator that has ended.
  func forget(_ instance: String) {
    suspects.remove(instance)
    pauses.forget(instance)
  }

  private func host(of script: Script) throws(ScriptCrash) -> ScriptHost {
    if let host = hosts.withLock({ $0[script.path] }), host.isAlive, host.digest == script.digest, !host.isLettingGo {
      return host
    }
    let host = try newHost(of: script)
    // The old process goes on as long as it has runs: they are stopped one by one.
    let old = hosts.withLock { $0.updateValue(host, forKey: script.path) }
    old?.endWhenIdle()
    return host
  }

  /// Executes what undoes a step.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - key: the key of the step.
  ///   - instance: the name of the coordinator's instance.
  /// - Returns: what it has come to.
  func undo(by arguments: [String], _ key: String, _ instance: String) async -> WorkOutcome {
    let report = report
    let name = FlowInstance(name: instance) { _ in "" }?.path.description ?? instance
    return await UndoCommand(arguments, key: key, run: numbers.next(), socket: socket.path).run { report(name, $0) }
  }

  /// Ends the processes of hosts. Runs that are started later get new ones.
  func forgetHosts() {
    let hosts = hosts.withLock { hosts in
      defer { hosts = [:] }
      return hosts.values.map(\.self)
    }
    for host in hosts + suspects.takeHosts() { host.end() }
  }

  /// Stops everything.
  func end() {
    forgetHosts()
    socket.end()
    LinkedCommands.remove()
  }
}
