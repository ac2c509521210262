import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTools

@Suite("The list of flows")
struct FlowListingTests {
  @Test("names what a flow takes, and cannot move the cursor, whatever a daemon puts into it")
  func harmless() {
    let escape = "\u{1B}[2J"
    let input = Form(
      Field("na\(escape)me", .string(title: "Na\(escape)me")), Field("size", .choice(title: "Size", [("s\(escape)", "Small")]))
    ).schema
    let flow = FlowListing(name: "pe\(escape)ts", title: "Pe\(escape)ts", summary: "All\(escape) of them", input: input)
    let lines = flow.lines(style: TextStyle())
    #expect(lines.first == "pe[2Jts - Pe[2Jts. All[2J of them")
    #expect(lines[1] == "    na[2Jme=TEXT  Na[2Jme")
    #expect(!lines.joined().contains("\u{1B}"))
  }
}
