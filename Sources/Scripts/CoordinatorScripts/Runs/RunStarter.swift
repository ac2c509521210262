import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// Starts runs. May be used from any thread.
final class RunStarter: Sendable {
  private let numbers = RunNumbers()
  private let socket: AskSocket
  private let hosts = Lock<[String: ScriptHost]>([:])
  /// Receives the lines that scripts write, after the path of the coordinator or the name of the script.
  let report: @Sendable (String, String) -> Void
  /// Receives the reasons why scripts have failed, as lines, after the path of the coordinator.
  let failed: @Sendable (String, [String]) -> Void
  private let suspects = RunSuspects()
  /// Who may have written the scripts.
  private let trust: ScriptTrust
  /// Whether scripts are played: then random values are deterministic, and no run waits before a failed attempt is repeated.
  let isPlaying: Bool
  /// Whether random values are real even in a play, because a person plays.
  let hasRealChance: Bool
  private let surroundings: Surroundings
  /// The waits before runs may begin.
  let pauses = RunPauses()
  /// The runs that may still perform a step.
  let departures: RunDepartures

  /// Creates a starter.
  ///
  /// - Parameters:
  ///   - directory: a directory for the socket of operations.
  ///   - isPlaying: whether the scripts are played.
  ///   - hasRealChance: whether random values are real even in a play.
  ///   - surroundings: where the runs take place.
  ///   - trust: who may have written the scripts.
  ///   - report: receives the lines that scripts write, after the path of the coordinator or the name of the script.
  ///   - failed: receives the reasons why scripts have failed, as lines, after the path of the coordinator.
  /// - Throws: `AskSocket.Failed`.
  init(
    in directory: String, isPlaying: Bool = false, hasRealChance: Bool = false, surroundings: Surroundings = .own,
    trust: ScriptTrust = .own, report: @escaping @Sendable (String, String) -> Void,
    failed: @escaping @Sendable (String, [String]) -> Void = { _, _ in }
  ) throws {
    (self.isPlaying, self.hasRealChance, self.surroundings) = (isPlaying, hasRealChance, surroundings)
    (self.trust, self.failed) = (trust, failed)
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
    try order.script.checkBeforeStart()
    // Runs that began with an earlier engine print what their scripts expect. What runs as root does not rely on what the log
    // says of that.
    if let evaluated = order.script.evaluated, order.log.features.contains(.assignments) || trust == .root {
      throw ScriptCrash(
        "eval would execute what ask prints here, which somebody has typed: add --assignments to ask, or put it into a variable",
        at: "\(order.script.file):\(evaluated.line)")
    }
    let report = report
    let run: any ScriptRun
    switch order.script.kind {
    case .processes:
      var order = order
      order.surroundings = surroundings
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
      numbers.next(), script, in: surroundings, socket: socket.path, suspects: suspects,
      mishap: { [pauses, isPlaying] in if !isPlaying { pauses.note(script.path) } }
    ) { report(file, $0) }
  }

  /// Removes a coordinator that has ended.
  func forget(_ instance: String) {
    suspects.remove(instance)
    pauses.forget(instance)
  }

  private func host(of script: Script) throws(ScriptCrash) -> ScriptHost {
    if let host = hosts.withLock({ $0[script.path] }), host.isAlive, host.digest == script.digest, !host.isLettingGo {
      return host
    }
    let host = try newHost(of: script)
    // The old process continues as long as it has runs, which are stopped one by one.
    let old = hosts.withLock { $0.updateValue(host, forKey: script.path) }
    old?.endWhenIdle()
    return host
  }

  /// Executes the command that undoes a step.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - key: the key of the step.
  ///   - instance: the name of the coordinator's instance.
  /// - Returns: the outcome.
  func undo(by arguments: [String], _ key: String, _ instance: String) async -> WorkOutcome {
    guard trust != .root else { return .ended(.failed(StepError(type: "undo", message: Undo.refusalAsRoot))) }
    let report = report
    let name = FlowInstance(name: instance) { _ in "" }?.path.description ?? instance
    return await UndoCommand(arguments, key: key, run: numbers.next(), socket: socket.path).run { report(name, $0) }
  }

  /// Ends the processes of hosts. Later runs start new ones.
  func forgetHosts() {
    let hosts = hosts.withLock { hosts in
      defer { hosts = [:] }
      return hosts.values.map(\.self)
    }
    for host in hosts + suspects.takeHosts() { host.end() }
  }

  /// Stops all runs and hosts.
  func end() {
    forgetHosts()
    socket.end()
    LinkedCommands.remove()
  }
}

/// The runs that may still perform a step, by the coordinator's instance, so that no two runs perform the same step at once.
/// May be used from any thread.
final class RunDepartures: Sendable {
  private let runs = Lock<[String: [any ScriptRun]]>([:])
  /// Emits when nothing is left of an earlier process of this program.
  let orphans: Departure

  /// Creates a list.
  ///
  /// - Parameter orphans: emits when nothing is left of an earlier process of this program.
  init(orphans: Departure) { self.orphans = orphans }

  /// Adds a run that was started.
  func add(_ run: any ScriptRun, of instance: String) {
    runs.withLock { $0[instance, default: []].append(run) }
    Task {
      await run.departure.wait()
      runs.withLock { runs in
        runs[instance]?.removeAll { $0 === run }
        if runs[instance]?.isEmpty == true { runs[instance] = nil }
      }
    }
  }

  /// Waits until nothing is left of the earlier runs of an instance, all of which have ended or were stopped.
  func before(_ run: any ScriptRun, of instance: String) async {
    await orphans.wait()
    for other in runs.withLock({ $0[instance] ?? [] }) where other.number < run.number { await other.departure.wait() }
  }
}

/// A one-time event: nothing is left of a run. May be used from any thread.
final class Departure: Sendable {
  private struct State: Sendable {
    var hasCome = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Whether the event has been emitted.
  var hasCome: Bool { state.withLock(\.hasCome) }

  /// Emits the event. Later calls do nothing.
  func come() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.hasCome = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for the event, even if the task is cancelled: processes are killed after some seconds.
  func wait() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if !state.hasCome { state.waiters.append(continuation) }
        return state.hasCome
      }
      if hasCome { continuation.resume() }
    }
  }
}

extension RunStarter {
  /// Returns the source of the values of an entry that differ each time. In a play, it is deterministic: the same log always
  /// receives the same values, so that two plays can be compared.
  ///
  /// - Parameters:
  ///   - now: the time, in microseconds since 1970.
  ///   - entry: the index of the entry.
  /// - Returns: the source.
  func source(now: UInt64, entry: Int) -> ScriptSource {
    guard isPlaying, !hasRealChance else { return ScriptSource(now: now, uuid: { UniqueID.new() }) }
    let digits = String(entry, radix: 16)
    let padded = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    return ScriptSource(
      now: now, random: { Double(entry % 10) / 10 }, uuid: { "00000000-0000-4000-8000-\(padded)" })
  }
}

/// The waits before runs may begin. May be used from any thread.
final class RunPauses: Sendable {
  private struct Mishaps: Sendable {
    var count = 0
    var last: ContinuousClock.Instant
  }

  private struct State: Sendable {
    /// The time at which the next run of an instance may begin.
    var ends: [String: ContinuousClock.Instant] = [:]
    /// How often in a row the process of a script has ended for an unknown reason, by the path of the script.
    var mishaps: [String: Mishaps] = [:]
  }

  /// The time after which an ended process no longer delays the next one.
  private static let memory = Duration.seconds(60)

  private let state = Lock(State())

  /// Makes the next run of an instance wait.
  func set(_ instance: String, until end: ContinuousClock.Instant) { state.withLock { $0.ends[instance] = end } }

  /// Removes an instance.
  func forget(_ instance: String) { state.withLock { _ = $0.ends.removeValue(forKey: instance) } }

  /// Records that the process of a script has ended, and that no run can be blamed.
  func note(_ path: String, at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      state.mishaps = state.mishaps.filter { $0.value.last + Self.memory > now }
      state.mishaps[path] = Mishaps(count: (state.mishaps[path]?.count ?? 0) + 1, last: now)
    }
  }

  /// Returns how long to wait after this number of processes in a row have ended for an unknown reason. The first may be an
  /// accident.
  static func pause(after mishaps: Int) -> Duration {
    mishaps < 2 ? .zero : .milliseconds(min(10_000, 250 << min(mishaps - 2, 6)))
  }

  /// Returns the time until which a run has to wait.
  private func end(_ instance: String, _ path: String) -> ContinuousClock.Instant? {
    state.withLock { state in
      let ofScript = state.mishaps[path].map { $0.last + Self.pause(after: $0.count) }
      let end = [state.ends[instance], ofScript].compactMap(\.self).max()
      // So that the work that waits for it knows the end of the wait.
      state.ends[instance] = end
      return end
    }
  }

  /// Waits until a run may begin, if that is before a deadline.
  ///
  /// - Parameters:
  ///   - instance: the coordinator's instance.
  ///   - script: the script.
  ///   - deadline: the deadline.
  /// - Returns: whether the wait exceeds the deadline.
  func isLong(_ instance: String, of script: Script, until deadline: ContinuousClock.Instant) async -> Bool {
    guard let end = end(instance, script.path), end > .now else { return false }
    try? await Task.sleep(until: min(end, deadline))
    return end > deadline
  }

  /// Waits until a run may begin.
  ///
  /// - Throws: `CancellationError`.
  func wait(for instance: String) async throws {
    guard let end = state.withLock({ $0.ends[instance] }), end > .now else { return }
    try await Task.sleep(until: end)
  }
}

/// Creates UUIDs.
enum UniqueID {
  /// Returns a UUID of version 4, in lower case.
  ///
  /// Source: RFC 9562, section 5.4.
  static func new() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    return text
  }
}
