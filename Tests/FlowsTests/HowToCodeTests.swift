import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("how-to-code")
struct HowToCodeTests {
  @Test("four steps, each with its title and accent, then a place to start over")
  func chain() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    #expect(try await flow.names == ["step-1", "step-2", "step-3", "step-4", "start-over"])
    let steps = try await flow.screens.dropLast()
    #expect(steps.map(\.content.title) == ["I wake up", "I go out", "500 lines", "Ship it!"])
    #expect(steps.map(\.content.accent) == ["#F5001C", "#ED8212", "#3BB821", "#2E4ACC"])
    #expect(try await flow.screens.allSatisfy { $0.content.kind == .message && $0.content.actions.map(\.role) == [.primary] })
  }

  @Test("starting over dismisses the whole stack, and finishes")
  func startOver() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    try await flow.send("start-over")
    #expect(try await flow.outcome == .finished(["steps": 4]))
    #expect(try await flow.screens.isEmpty)
  }

  @Test("Back goes to the step before, and from the first ends the flow as cancelled")
  func back() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    try await flow.send("next")
    try await flow.back()
    #expect(try await flow.names == ["step-1"])
    try await flow.back()
    #expect(try await flow.outcome == .cancelled)
  }
}
