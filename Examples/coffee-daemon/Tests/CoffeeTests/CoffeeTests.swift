import CoordinatorTestKit
import Testing

@testable import coffee_daemon

@Test("a large coffee is a large coffee")
func large() async throws {
  let flow = try await TestFlow.start { Coffee() }
  try await flow.send("large")
  #expect(try await flow.names == ["size", "done"])
  try await flow.send("okay")
  #expect(try await flow.outcome == .finished(["size": "large"]))
}

@Test("every path through the flow is walked")
func explored() async throws {
  try await FlowExplorer { Coffee() }.walk().expect(screens: ["size", "done"])
}
