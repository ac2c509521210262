import CoordinatorKit

/// A flow with timers and short pieces of work, with and without a secret, and a screen that counts their results. It
/// reveals a daemon that forgets work, does it twice, or reports an interruption that did not happen.
actor Errands: Coordinator {
  static let flow = FlowDescription("errands", title: "Errands", summary: "Counts what is done, for a daemon that is killed.")

  enum Route: Codable { case desk }

  struct State: FlowState {
    var errands = 0
    var checks = 0
    var reminders = 0
    var interruptions = 0
    /// Whether the last check was interrupted.
    var isInterrupted = false
  }

  struct Result: Codable {
    var errands: Int
    var checks: Int
    var reminders: Int
    var interruptions: Int
  }

  enum Work: Codable { case errand, check }
  enum Timer: Codable { case reminder }

  let context = Context()
  /// The gate that holds work until it is released; nil if work ends immediately.
  private let gate: Gate?

  init(isHeld: Bool) { gate = isHeld ? Gate() : nil }

  func start() { router.present(.desk) }

  func screen(for route: Route) -> Screen {
    let desk = Screen.form(
      "desk", title: "Errands",
      body: Text(
        verbatim: "\(state.errands) errands, \(state.checks) checks, \(state.reminders) reminders, "
          + "\(state.interruptions) interruptions"),
      form: Form(
        Field("note", .string(title: "Note", length: 0...40)).optional, Field("pin", .secret(title: "PIN", length: 1...8))),
      actions: [
        .primary("check", "Check"), Action("errand", "Run an errand"), Action("remind", "Remind me"),
        Action("leave", "Leave"),
      ],
      messages: state.isInterrupted ? [.warning("interrupted", "The check was interrupted.")] : [])
    return isIdle ? desk : desk.busy("Under way")
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "errand": try begin(.errand)
    case "check": try begin(.check, secrets: event.payload.secrets)
    case "remind":
      try check()
      try startTimer(.reminder, after: gate == nil ? .milliseconds(Int.random(in: 0...60)) : .seconds(3600))
    case "leave":
      try finish(
        Result(
          errands: state.errands, checks: state.checks, reminders: state.reminders, interruptions: state.interruptions))
    default: throw event.notTaken
    }
  }

  /// Releases held work, as done or as interrupted, or a held timer.
  func receive(_ event: Event) throws {
    guard event.name == "let-go", let gate else { throw event.notTaken }
    guard due(.reminder) == nil else {
      cancelTimer(.reminder)
      return timerFired(.reminder)
    }
    gate.open(isInterrupted: event.payload.boolean("interrupted") == true)
  }

  private var isIdle: Bool { runningWork.isEmpty && due(.reminder) == nil }

  private func check() throws {
    guard isIdle else { throw Refusal.denied("something is under way") }
    state.isInterrupted = false
  }

  private func begin(_ work: Work, secrets: [String: Secret] = [:]) throws {
    try check()
    try startWork(work, secrets: secrets)
  }

  /// Performs work.
  ///
  /// - Returns: whether the work counts as interrupted.
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Bool {
    if let gate { return await gate.pass() }
    // Long enough to be interrupted sometimes, short enough that it often is not.
    try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
    return false
  }

  func workEnded(_ work: Work, with result: WorkResult<Bool>) throws {
    switch (work, result) {
    case (.check, .done(true)): workInterrupted(work)
    case (.check, .done): state.checks += 1
    case (.errand, .done): state.errands += 1
    case (_, .failed(let error)): throw error
    }
  }

  func timerFired(_ timer: Timer) { state.reminders += 1 }

  func workInterrupted(_ work: Work) {
    state.interruptions += 1
    state.isInterrupted = true
  }
}

/// A gate at which work waits until it is released, one piece at a time.
private final class Gate: Sendable {
  private let stream: AsyncStream<Bool>
  private let continuation: AsyncStream<Bool>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: Bool.self) }

  func pass() async -> Bool {
    for await isInterrupted in stream { return isInterrupted }
    return false
  }

  func open(isInterrupted: Bool) { continuation.yield(isInterrupted) }
}
