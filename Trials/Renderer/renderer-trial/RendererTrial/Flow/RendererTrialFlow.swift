import CoordinatorKit

/// A flow that shows every kind of screen, every state and every unexpected event, and reports the faults.
///
/// ``ConductReview`` reviews the conduct that the flow cannot observe, and ``TrialRun`` causes the events that the flow cannot
/// cause, such as an answer of another client or the death of the daemon.
package actor RendererTrialFlow: Coordinator {
  package static let flow = FlowDescription(
    "renderer-trial", title: "Renderer trial", summary: "Shows every kind of screen, and checks how a renderer handles it.",
    input: Form(
      Field("pace", .number(title: "Seconds until automatic events", range: 0...60, default: 3)).optional,
      Field("from", .choice(title: "First step", TrialStep.allCases.map { ($0.rawValue, Text(verbatim: $0.title)) })).optional,
      Field(
        "without",
        .array(of: .choice(title: "Feature", TrialStep.features.map { ($0, Text(verbatim: $0)) }), title: "Features to leave out")
      ).optional))

  package struct State: FlowState {
    var result = TrialResult()
    /// Whether the screen of ``TrialStep/typing`` has been updated while the user was typing.
    var isUpdated = false
    /// The answer that is reviewed in the step ``TrialStep/review``.
    var drink: String?

    package init() {}
  }

  package struct Input: Codable, Sendable {
    var pace: Double?
    var from: TrialStep?
    var without: [String]?
  }

  package typealias Result = TrialResult

  package enum Work: Codable, Sendable {
    case pause(TrialStep, seconds: Double)
  }

  package let context = Context()

  /// Creates the flow's coordinator.
  package init() {}

  /// The steps of this trial, in order.
  var steps: [TrialStep] { TrialStep.steps(from: input.from, without: input.without ?? []) }

  package func start() throws { try show(steps.first ?? .end) }

  package func allowsBack(from route: TrialStep) -> Bool { route == .modal || route == .review }

  package func receive(_ event: Event, on step: TrialStep) throws {
    switch (step, event.name) {
    case (.message, "begin"), (.emptyList, "nothing"), (.replaced, "elsewhere"), (.restart, "back"): break
    case (.menu, "third"), (.messages, "step"), (.answered, "told"), (.locked, "none"), (.suggested, "coffee"),
      (.defaulted, "copy"):
      break
    case (.list, Event.select): try expect(event.selection, "two", step)
    case (.longList, Event.select): try expect(event.selection, "n1234", step)
    case (.form, "send"): for fault in TrialForm.faults(in: event.payload) { blame(step, fault) }
    case (.wrong, "send"):
      expect(event.payload.string("number"), "1234", step)
      expect(event.payload.string("word"), "tea", step)
    case (.draft, "send"): expect(event.payload.string("text"), Self.draft, step)
    case (.typing, "send"): judgeTyping(event.payload)
    case (.secret, "send"):
      // Judged by work, because a process other than the daemon receives secrets only there.
      if let word = event.payload.secret("word") { keep(word, as: Self.word) }
    case (.several, Event.select): try expect(event.selections.sorted().joined(separator: ", "), "tea, water", step)
    case (.preselected, Event.select): try expect(event.selection, "water", step)
    case (.disabledItem, "frozen"), (.disabledAction, "empty"), (.confirmed, "keep"): break
    case (.confirmed, "erase"): blame(step, "it sent “erase” without asking, or although the answer was no")
    case (.toReview, "send"): return try judgeReviewed(event.payload)
    case (.review, "done"):
      if state.drink != "water" { blame(step, "the answer “\(state.drink ?? "")” was not changed to “water”") }
    case (.modal, "stuck"): blame(step, "it did not offer to go back, although the screen allows it")
    case (.end, "end"):
      state.result.steps.append(step)
      return try finish(state.result)
    default: blame(step, "the answer was “\(event.name)”")
    }
    try goOn(after: step)
  }

  package func wentBack(from step: TrialStep) throws {
    // Below a review is the answer, which may be changed.
    if step != .review { try goOn(after: step) }
  }

  // MARK: Judging

  /// The text that another client types in the step ``TrialStep/draft``.
  package static let draft = "from elsewhere"

  /// The name of the secret that was typed.
  private static let word = "word"

  private func expect(_ given: String?, _ expected: String, _ step: TrialStep) {
    if given != expected { blame(step, "“\(given ?? "")” instead of “\(expected)”") }
  }

  private func judgeTyping(_ payload: Payload) {
    if !state.isUpdated { blame(.typing, "it was sent before the screen changed") }
    if payload.string("own") != "mine" { blame(.typing, "an update overwrote what the user was typing") }
    if state.isUpdated, payload.string("other") != "new" {
      blame(.typing, "a field that the user had not edited did not follow an update")
    }
  }

  /// Stores the answer that is reviewed: the first one, and each changed one.
  private func judgeReviewed(_ payload: Payload) throws {
    let isFirst = state.drink == nil
    state.drink = payload.string("drink")
    guard isFirst else { return router.present(.review) }
    expect(state.drink, "tea", .toReview)
    try goOn(after: .toReview)
  }

  private func blame(_ step: TrialStep, _ text: String) { state.result.faults.append(TrialResult.Fault(step, text)) }

  // MARK: Going on

  private func goOn(after step: TrialStep) throws {
    state.result.steps.append(step)
    guard let index = steps.firstIndex(of: step), index + 1 < steps.endIndex else { return }
    cancelWork()
    let next = steps[index + 1]
    switch (step, next) {
    case (_, .modal), (_, .review): try show(next)
    case (.modal, _):
      try router.dismiss(to: .answered)
      try show(next, replacing: true)
    case (.review, _):
      try router.dismiss(to: .toReview)
      try show(next, replacing: true)
    default: try show(next, replacing: true)
    }
  }

  private func show(_ step: TrialStep, replacing: Bool = false) throws {
    switch step {
    case .modal: router.present(step, as: .modal)
    case _ where replacing: router.replace(with: step)
    default: router.present(step)
    }
    guard step == .typing || step == .busy else { return }
    let word = step == .busy ? keptSecret(Self.word) : nil
    try startWork(.pause(step, seconds: input.pace ?? 3), secrets: word.map { [Self.word: $0] } ?? [:])
    forgetSecret(Self.word)
  }

  package nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    switch work {
    case .pause(_, let seconds):
      for step in 1...10 {
        try await Task.sleep(for: .seconds(seconds / 10))
        context.report(Progress(fraction: Double(step) / 10, text: Text(verbatim: "\(step) of 10")))
      }
      guard context.secrets[Self.word]?.withString({ $0 == "swordfish" }) != false else {
        throw Failure(code: "wrong-secret", message: "the secret is another one")
      }
    }
  }

  package func workEnded(_ work: Work, with result: WorkResult<Void>) throws {
    switch (work, result) {
    case (.pause(.busy, _), .failed):
      blame(.secret, "the secret did not arrive as it was typed")
      try goOn(after: .busy)
    case (.pause(.busy, _), .done): try goOn(after: .busy)
    case (.pause, .done): state.isUpdated = true
    case (.pause, .failed): break
    }
  }
}
