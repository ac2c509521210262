import BusLoad
import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus
import TestBus

/// A run of the scenario with a fault, by a client that repeats unanswered calls and compares the results.
struct FaultRun {
  /// The number of attempts of a call before it counts as a failure.
  private static let attempts = 6
  /// The number of starts of a daemon with a lasting fault before the fault is cleared.
  private static let faultyStarts = 2

  let recording: Recording
  let fault: Fault
  var daemon: TrialDaemon
  let client: DaemonClient
  var trees: [Timeline]
  /// Whether the fault still lasts, or is still pending.
  private var isFaulty = true
  private var version = Script.Version.whole

  init(_ recording: Recording, _ fault: Fault, daemon: TrialDaemon, client: DaemonClient) {
    (self.recording, self.fault, self.daemon, self.client) = (recording, fault, daemon, client)
    trees = recording.trees
  }

  /// Whether the daemon is killed, rather than left running, after it has reported `NotStored`. Faults that do not last
  /// alternate.
  private var killsAfterRefusal: Bool { fault.lasts || fault.occurrence.isMultiple(of: 2) }

  /// Plays the scenario to its end.
  ///
  /// - Throws: ``FaultViolation``; errors that are unrelated to the daemon.
  mutating func run() async throws {
    for part in recording.parts {
      version = part.version
      try await serve()
      for call in part.calls { try await perform(call) }
      try check(await daemon.end(part.ending), after: part.ending)
    }
    clear()
    version = .whole
    try await serve()
    try check(await daemon.end(.stopped), after: .stopped)
    try audit()
  }

  /// Kills the daemon if it still runs.
  mutating func abandon() async { _ = await daemon.end(.killed) }

  // MARK: Lives

  /// Starts a daemon, and compares all its reports.
  private mutating func serve() async throws {
    try await start()
    // A tree that could not be read may be held by this daemon, but by no later one.
    if try await comparison().needsAnotherDaemon { try await restart(.stopped) }
  }

  private mutating func restart(_ ending: Script.Ending) async throws {
    try check(await daemon.end(ending), after: ending)
    clear()
    try await start()
    guard try await comparison().needsAnotherDaemon else { return }
    throw FaultViolation(
      .other, of: "the daemon", expected: "all trees, now that nothing fails", found: "held or unreadable ones")
  }

  private mutating func start() async throws {
    for attempt in 1...5 {
      if attempt > Self.faultyStarts { clear() }
      do {
        try await daemon.start(version)
        return
      } catch let error as LoadedDaemon.DidNotStart {
        try check(error.report, after: nil)
      }
    }
    throw FaultViolation(.other, of: "the daemon", expected: "that it starts, now that nothing fails", found: "it does not")
  }

  /// Clears the fault.
  private mutating func clear() {
    isFaulty = false
    daemon.plan.clear()
  }

  /// Checks how a process has ended. A daemon in which an operation has failed may report that and exit.
  private func check(_ report: ProgramReport?, after ending: Script.Ending?) throws {
    try checkFiles()
    guard let report else { return }
    let signs = ["Fatal error", "Sanitizer", "runtime error:"]
    if let sign = signs.first(where: report.errors.contains) {
      throw FaultViolation(.death, of: "the daemon", expected: "no '\(sign)'", found: "\(report)")
    }
    switch report.status {
    case .killed(9) where ending == .killed, .exited(0) where ending == .stopped: return
    case .killed(9):
      throw FaultViolation(.other, of: "the daemon", expected: "that it does not hang", found: "\(report)")
    case .killed: throw FaultViolation(.death, of: "the daemon", expected: "no signal", found: "\(report)")
    default:
      guard !daemon.wasHit else { return }
      throw FaultViolation(.other, of: "the daemon", expected: "that it works while nothing fails", found: "\(report)")
    }
  }

  /// Checks that no file was moved aside, since none is damaged.
  private func checkFiles() throws {
    guard let file = daemon.movedAside.first else { return }
    throw FaultViolation(.deleted, of: "the database", expected: "that it stays where it is", found: file)
  }

  // MARK: Calls

  private mutating func perform(_ call: Recording.Call) async throws {
    var last = "no answer"
    for attempt in 1...Self.attempts {
      // While the fault lasts, the daemon may end at each attempt.
      if attempt > Self.faultyStarts { clear() }
      trees[call.tree].isCalled(towards: call.target, isWork: call.isWork)
      switch await CallResult.of(call.call, on: client.connection) {
      case .answered(let values): return try await noteAnswer(values, of: call)
      case .notStored(let text):
        last = text
        try await noteRefusal(text, of: call)
        // The daemon retries on a full disk only after a second.
        if text.contains("disk is full") { try await Task.sleep(for: .milliseconds(1_100)) }
      case .held(let text):
        last = text
        try expectReason(call, text)
        try await restart(.killed)
      case .died: try await goOnAfterDeath()
      case .refused(let text):
        throw FaultViolation(
          .other, of: trees[call.tree].token, expected: "\(call.call.member) answered with \(call.answer)", found: text)
      }
    }
    throw FaultViolation(
      .other, of: trees[call.tree].token, expected: "that \(call.call.member) works in the end", found: last)
  }

  private mutating func noteAnswer(_ values: [Value], of call: Recording.Call) async throws {
    guard values == call.answer else {
      let (found, expected) = (values.first?.uint64 ?? 0, call.answer.first?.uint64 ?? 0)
      throw FaultViolation(
        found < expected ? .lost : found > expected ? .doneTwice : .other, of: trees[call.tree].token,
        expected: "\(call.call.member) answered with \(call.answer)", found: "\(values)")
    }
    guard call.isWork else { return trees[call.tree].isAnswered(at: call.target) }
    let end = ContinuousClock.now + TrialDaemon.limit
    while trees[call.tree].told < call.target {
      guard let standing = try await standing(of: trees[call.tree]) else {
        // The next daemon does the work again.
        try await goOnAfterDeath()
        continue
      }
      try trees[call.tree].isFound(standing)
      guard ContinuousClock.now < end else {
        throw FaultViolation(.other, of: trees[call.tree].token, expected: "that its work comes to an end", found: "\(standing)")
      }
      if trees[call.tree].told < call.target { try await Task.sleep(for: .milliseconds(5)) }
      // Work results and timeouts are retried when no operation fails any more.
      if daemon.wasHit { clear() }
    }
  }

  /// Checks that a call answered `NotStored` has not taken effect, and does not take effect in the next daemon either.
  private mutating func noteRefusal(_ text: String, of call: Recording.Call) async throws {
    try expectReason(call, text)
    trees[call.tree].isNotStored()
    guard let standing = try await standing(of: trees[call.tree]) else { return try await goOnAfterDeath() }
    try trees[call.tree].isFound(standing)
    guard killsAfterRefusal else { return clear() }
    try check(await daemon.end(.killed), after: .killed)
    try await serve()
    clear()
  }

  private func expectReason(_ call: Recording.Call, _ text: String) throws {
    guard !daemon.wasHit else { return }
    throw FaultViolation(
      .other, of: trees[call.tree].token, expected: "that \(call.call.member) works while nothing fails", found: text)
  }

  /// Continues after the daemon has ended by itself.
  private mutating func goOnAfterDeath() async throws {
    try check(await daemon.ended(), after: nil)
    try await serve()
  }

  /// Returns the state of a tree; nil if the daemon has died.
  private func standing(of tree: Timeline) async throws -> Standing? {
    do {
      return try await client.standing(of: Contract.flowPath(root: tree.token))
    } catch {
      if case .died = CallResult(error) { return nil }
      throw FaultViolation(.other, of: tree.token, expected: "that it can be read", found: "\(error)")
    }
  }

  // MARK: Comparing

  private mutating func comparison() async throws -> Comparison {
    var comparison = Comparison(client: client, version: version, daemon: daemon)
    try await comparison.compare(&trees)
    return comparison
  }

  /// Checks the final contents of the journal: each transition once, in an undamaged database.
  private func audit() throws {
    try Audit.checkIntegrity(in: daemon.state)
    let history = try Recorder.history(in: daemon.state)
    guard let token = recording.history.keys.sorted().first(where: { history[$0] != recording.history[$0] }) else { return }
    let (expected, found) = (recording.history[token] ?? [], history[token] ?? [])
    throw FaultViolation(
      found.count < expected.count ? .lost : found.count > expected.count ? .doneTwice : .other, of: token,
      expected: "in the history \(expected)", found: "\(found)")
  }
}
