import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("how-to-code")
struct HowToCodeTests {
  @Test("four steps, each with its title and accent, then a place to finish or to start over")
  func chain() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    #expect(try await flow.names == ["step-1", "step-2", "step-3", "step-4", "start-over"])
    let steps = try await flow.screens.dropLast()
    #expect(steps.map(\.content.title) == ["I wake up", "I go out", "500 lines", "Ship it!"])
    #expect(steps.map(\.content.accent) == ["#F5001C", "#ED8212", "#3BB821", "#2E4ACC"])
    #expect(steps.allSatisfy { $0.content.kind == .message && $0.content.actions.map(\.role) == [.primary] })
    #expect(try await flow.screens.last?.content.actions.map(\.title) == ["Finish", "Start over"])
  }

  @Test("starting over leads to the first step again")
  func startOver() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    try await flow.send("start-over")
    #expect(try await flow.names == ["step-1"])
    try await flow.send("next")
    #expect(try await flow.names == ["step-1", "step-2"])
  }

  @Test("finishing ends the flow, and says how many steps it had")
  func finish() async throws {
    let flow = try await TestFlow.start("how-to-code", in: .builtIn())
    for _ in 1...4 { try await flow.send("next") }
    try await flow.send("finish")
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
