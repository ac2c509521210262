import CoordinatorKit
import CoordinatorTestKit
import Testing
import renderer_trial

@Suite("The flow of the renderer trial", .timeLimit(.minutes(5)))
struct TrialFlowTests {
  private func trial(_ input: [String: JSONValue] = [:]) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { RendererTrialFlow() }
    return try await TestFlow.start("renderer-trial", input: input.merging(["pace": 0]) { $1 }, in: catalogue)
  }

  private func result(of flow: TestFlow) async throws -> TrialResult {
    guard case .finished(let result) = try await flow.outcome else { throw Unfinished() }
    return try JSONValue.object(result).decoded(as: TrialResult.self)
  }

  private struct Unfinished: Error {}

  /// Gives the answer of a user who follows the instructions.
  private func answer(_ flow: TestFlow, _ step: TrialStep) async throws {
    switch step {
    case .message: try await flow.send("begin")
    case .menu: try await flow.send("third")
    case .list: try await flow.send("select", ["id": "two"])
    case .longList: try await flow.send("select", ["id": "n1234"])
    case .emptyList: try await flow.send("nothing")
    case .form:
      try await flow.send(
        "send",
        [
          "name": "Zoë 水野", "email": "zoe@example.org", "age": 42, "height": 1.75, "city": "London", "news": true,
          "colour": "green",
          "drinks": .array(["tea", "water"]),
        ])
    case .wrong: try await flow.send("send", ["number": "1234", "word": "tea"])
    case .draft: try await flow.send("send", ["text": "from elsewhere"])
    case .typing:
      _ = await flow.renderer.state { $0.window.top?.content.body.hasPrefix("NOW") == true }
      try await flow.send("send", ["own": "mine", "other": "new"])
    case .secret: try await flow.send("send", ["word": "swordfish"])
    case .messages: try await flow.send("step")
    case .busy: _ = await flow.renderer.state { $0.window.top?.content.name == TrialStep.replaced.rawValue }
    case .replaced: try await flow.send("elsewhere")
    case .answered: try await flow.send("told")
    case .modal: try await flow.back()
    case .locked: try await flow.send("none")
    case .suggested: try await flow.send("coffee")
    case .defaulted: try await flow.send("copy")
    case .several: try await flow.send("select", ["ids": ["water", "tea"]])
    case .preselected: try await flow.send("select", ["id": "water"])
    case .disabledItem: try await flow.send("frozen")
    case .disabledAction: try await flow.send("empty")
    case .confirmed: try await flow.send("keep")
    case .toReview: try await flow.send("send", ["drink": "tea"])
    case .review:
      let answered = try #require(try await flow.top.content.review.first?.screen)
      try await flow.send("change", ["id": .integer(Int64(answered.number))])
      #expect(try await flow.top.content.name == TrialStep.toReview.rawValue)
      try await flow.send("send", ["drink": "water"])
      try await flow.send("done")
    case .restart: try await flow.send("back")
    case .end: try await flow.send("end")
    }
  }

  @Test("The trial flow shows its steps in order and finds no fault in correct answers")
  func correctAnswersPassEveryStep() async throws {
    let flow = try await trial()
    for step in TrialStep.allCases {
      #expect(try await flow.top.content.name == step.rawValue)
      try await answer(flow, step)
    }
    let read = try await result(of: flow)
    #expect(read.faults == [])
    #expect(read.steps == TrialStep.allCases)
  }

  @Test("The trial flow reports wrong answers and continues")
  func wrongAnswersAreReportedAndTheTrialContinues() async throws {
    let flow = try await trial()
    for step in TrialStep.allCases {
      switch step {
      case .menu: try await flow.send("first")
      case .list: try await flow.send("select", ["id": "three"])
      case .wrong: try await flow.send("send", ["number": "1234", "word": "t"])
      case .typing: try await flow.send("send", ["own": "", "other": "old"])
      case .secret: try await flow.send("send", ["word": "****"])
      case .modal: try await flow.send("stuck")
      case .suggested: try await flow.send("tea")
      case .defaulted: try await flow.send("erase")
      case .several: try await flow.send("select", ["id": "tea"])
      case .preselected: try await flow.send("select", ["id": "tea"])
      case .disabledItem: try await flow.send("hot")
      case .disabledAction: try await flow.send("closed")
      case .confirmed: try await flow.send("erase")
      case .review: try await flow.send("done")
      default: try await answer(flow, step)
      }
    }
    let read = try await result(of: flow)
    #expect(
      read.faults.map(\.step) == [
        .menu, .list, .wrong, .typing, .typing, .secret, .modal, .suggested, .defaulted, .several, .preselected, .disabledItem,
        .disabledAction, .confirmed, .review,
      ])
    #expect(read.steps == TrialStep.allCases)
  }

  @Test("A trial omits the steps of features that a renderer does not draw, and begins where its options say")
  func trialLeavesOutFeaturesAndBeginsLater() async throws {
    let without = try await trial(["from": "modal", "without": ["suggestions", "defaults", "choosing", "confirm", "review"]])
    for step in [TrialStep.answered, .modal, .locked, .restart, .end] { try await answer(without, step) }
    #expect(try await result(of: without).faults == [])
    let buttons = try await trial(["from": "messages", "without": ["form", "list", "menu", "progress"]])
    for step in [TrialStep.messages, .locked, .confirmed, .restart, .end] { try await answer(buttons, step) }
    #expect(try await result(of: buttons).faults == [])
    let late = try await trial(["from": "form", "without": ["form", "list", "progress"]])
    for step in [TrialStep.messages, .replaced, .answered, .modal, .locked, .suggested] { try await answer(late, step) }
    let review = try await trial(["from": "review"])
    for step in [TrialStep.toReview, .review, .restart, .end] { try await answer(review, step) }
    #expect(try await result(of: review).faults == [])
  }

  @Test("The kind of each step is that of its screen")
  func kinds() async throws {
    let flow = try await trial()
    for step in TrialStep.allCases {
      let kind = try await flow.top.content.kind.rawValue
      #expect((step.kind ?? "message") == kind, "\(step)")
      try await answer(flow, step)
    }
  }
}
