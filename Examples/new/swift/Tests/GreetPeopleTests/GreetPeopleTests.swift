import CoordinatorTestKit
import Testing

@testable import GreetPeopleDaemon

@Test("the greeting contains the chosen word")
func greeted() async throws {
  let flow = try await TestFlow.start { GreetPeople() }
  try await flow.send("welcome")
  #expect(try await flow.names == ["word", "greeted"])
  try await flow.send("okay")
  #expect(try await flow.outcome == .finished(["word": "welcome"]))
}

@Test("every path through the flow is walked")
func explored() async throws {
  try await FlowExplorer { GreetPeople() }.walk().expect(screens: ["word", "greeted"])
}
