import CoordinatorClient
import CoordinatorKit
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The list of flows", .timeLimit(.minutes(5)))
struct FlowListingTests {
  @Test("The list of flows shows the input of each flow and contains no control characters")
  func flowListContainsNoControlCharacters() {
    let escape = "\u{1B}[2J"
    let input = Form(
      Field("na\(escape)me", .string(title: Text(verbatim: "Na\(escape)me"))),
      Field("size", .choice(title: "Size", [("s\(escape)", "Small")]))
    ).schema
    let flow = FlowListing(name: "pe\(escape)ts", title: "Pe\(escape)ts", summary: "All\(escape) of them", input: input)
    let lines = flow.lines(style: TextStyle())
    #expect(lines.first == "pe[2Jts - Pe[2Jts. All[2J of them")
    #expect(lines[1] == "    na[2Jme=TEXT  Na[2Jme")
    #expect(!lines.joined().contains("\u{1B}"))
  }
}
