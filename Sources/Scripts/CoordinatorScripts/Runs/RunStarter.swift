import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// Starts runs. May be used from any thread.
final class RunStarter: Sendable {
  private let numbers = RunNumbers()
  private let socket: AskSocket
  private let hosts = Lock<[String: ScriptHost]>([:])
  /// Receives what scripts write, line by line, after the name of the instance or of the script.
  let report: @Sendable (String, String) -> Void
  /// What may still do something.
  let departures: RunDepartures

  /// Creates a starter.
  ///
  /// - Parameters:
  ///   - directory: a directory for the socket of operations.
  ///   - report: receives what scripts write, line by line, after the name of the instance or of the script.
  /// - Throws: `AskSocket.Failed`.
  init(in directory: String, report: @escaping @Sendable (String, String) -> Void) throws {
    socket = try AskSocket(in: directory, for: numbers)
    self.report = report
    let orphans = Departure()
    departures = RunDepartures(orphans: orphans)
    RunProcesses.endOrphans(of: directory) { orphans.come() }
    try socket.open()
  }

  /// Starts a run.
  ///
  /// - Throws: ``ScriptCrash`` if the script cannot be started.
  func start(_ order: RunOrder) throws(ScriptCrash) -> any ScriptRun {
    let report = report
    let run: any ScriptRun
    switch order.script.kind {
    case .processes:
      let name = order.instance.path.description
      run = try ProcessRun(numbers.next(), order, socket: socket.path, runs: numbers) { report(name, $0) }
    case .host: run = try host(of: order.script).start(numbers.next(), order)
    }
    departures.add(run, of: order.instance.name)
    return run
  }

  private func host(of script: Script) throws(ScriptCrash) -> ScriptHost {
    let report = report
    if let host = hosts.withLock({ $0[script.path] }), host.isAlive, host.digest == script.digest, !host.isLettingGo {
      return host
    }
    let file = script.file
    let host = try ScriptHost(numbers.next(), script, socket: socket.path) { report(file, $0) }
    // The old process goes on as long as it has runs: they are stopped one by one.
    let old = hosts.withLock { $0.updateValue(host, forKey: script.path) }
    old?.endWhenIdle()
    return host
  }

  /// Executes a command of the shell that undoes a step.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - key: the key of the step.
  ///   - instance: the name of the coordinator's instance.
  /// - Returns: what it has come to.
  func undo(by command: String, _ key: String, _ instance: String) async -> WorkOutcome {
    let report = report
    return await UndoCommand(command, key: key, run: numbers.next(), socket: socket.path).run { report(instance, $0) }
  }

  /// Ends the processes of hosts. Runs that are started later get new ones.
  func forgetHosts() {
    let hosts = hosts.withLock { hosts in
      defer { hosts = [:] }
      return hosts.values.map(\.self)
    }
    for host in hosts { host.end() }
  }

  /// Stops everything.
  func end() {
    for host in hosts.withLock({ $0 }).values { host.end() }
    socket.end()
    LinkedCommands.remove()
  }
}
