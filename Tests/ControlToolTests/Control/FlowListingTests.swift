import CoordinatorClient
import CoordinatorKit
import Languages
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

  @Test("Flows are listed with their titles in the language of the user, without control characters")
  func flowsAreListedInTheUsersLanguage() throws {
    let german = try LanguageTag("de")
    let flow = FlowListing(
      name: "pets", title: "Pets", summary: "All of them", input: nil, titles: [german: "Tie\u{1B}re"],
      summaries: [german: "Alle"])
    #expect(flow.lines(style: TextStyle(), language: try LanguageTag("de-AT")) == ["pets - Tiere. Alle"])
    #expect(flow.lines(style: TextStyle(), language: try LanguageTag("fr")) == ["pets - Pets. All of them"])
  }
}
