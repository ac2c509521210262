import CoordinatorKit
import CoordinatorTestKit
import RendererTrial
import Testing

@Suite("The flow of the renderer trial", .timeLimit(.minutes(5)))
struct TrialFlowTests {
  private func trial() async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { RendererTrialFlow() }
    return try await TestFlow.start("renderer-trial", input: ["pace": 0], in: catalogue)
  }

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
    guard case .finished(let result) = try await flow.outcome else { return #expect(Bool(false), "it has not finished") }
    let read = try JSONValue.object(result).decoded(as: TrialResult.self)
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
      default: try await answer(flow, step)
      }
    }
    guard case .finished(let result) = try await flow.outcome else { return #expect(Bool(false), "it has not finished") }
    let read = try JSONValue.object(result).decoded(as: TrialResult.self)
    #expect(read.faults.map(\.step) == [.menu, .list, .wrong, .typing, .typing, .secret, .modal])
    #expect(read.steps == TrialStep.allCases)
  }
}
