import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 12: Deep links", .timeLimit(.minutes(5)))
struct Rule12DeepLinkTests {
  @Test("Rule 12: A flow can start at the routes that its input names")
  func flowStartsAtRoutesOfItsInput() async throws {
    let flow = try await TestFlow.probe("list", "detail", "settings")
    #expect(try await flow.names == ["list", "detail", "settings"])
    try await flow.back()
    #expect(try await flow.names == ["list", "detail"])
  }

  @Test("Rule 12: Input that the flow does not accept starts nothing")
  func invalidInputStartsNothing() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    for input: [String: JSONValue] in [["at": .integer(3)], ["typo": .string("x")], ["at": .array([.integer(1)])]] {
      await #expect(throws: CallError.self) { try await TestFlow.start("probe", input: input, in: catalogue) }
    }
  }

  @Test("Rule 12: A child flow with complete input can be started on its own and below another flow")
  func childFlowStartsAloneOrBelowAnother() async throws {
    let flow = try await TestFlow.probe("a")
    let answer = try await flow.call(
      .startChild(flow.tree.root, flow: "probe", input: ["at": .array([.string("x"), .string("y")])], router: .modal))
    #expect(answer == .child(flow.path("probe_1")))
    #expect(try await flow.names == ["a", "x", "y"])
    #expect(try await flow.screens.map(\.style) == [.push, .modal, .push])
  }
}
