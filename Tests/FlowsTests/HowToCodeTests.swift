import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("The flow how-to-code", .timeLimit(.minutes(5)))
struct HowToCodeTests {
  @Test("'how-to-code' has four steps with titles and accents, then a choice to finish or start over")
  func fourStepsLeadToTheEnd() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    #expect(try await flow.names == ["step-1", "step-2", "step-3", "step-4", "start-over"])
    let steps = try await flow.screens.dropLast()
    #expect(steps.map(\.content.title) == ["I wake up", "I go out", "500 lines", "Ship it!"])
    #expect(steps.map(\.content.accent) == ["#F5001C", "#ED8212", "#3BB821", "#2E4ACC"])
    #expect(steps.allSatisfy { $0.content.kind == .message && $0.content.actions.map(\.role) == [.primary] })
    #expect(try await flow.screens.last?.content.actions.map(\.title) == ["Finish", "Start over"])
  }

  @Test("Starting how-to-code over leads to the first step again")
  func startingOverLeadsToTheFirstStep() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    try await flow.send("start-over")
    #expect(try await flow.names == ["step-1"])
    try await flow.send("next")
    #expect(try await flow.names == ["step-1", "step-2"])
  }

  @Test("Finishing how-to-code ends it with the number of steps")
  func finishingReturnsTheNumberOfSteps() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    try await flow.send("finish")
    #expect(try await flow.outcome == .finished(["steps": 4]))
    #expect(try await flow.screens.isEmpty)
  }

  @Test("Back in how-to-code leads to the previous step, and from the first one cancels the flow")
  func backLeadsToThePreviousStep() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    try await flow.send("next")
    try await flow.back()
    #expect(try await flow.names == ["step-1"])
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
  }
}
