import Testing

@testable import ControlTool

@Suite("The names of a new flow", .timeLimit(.minutes(1)))
struct NewFlowNamesTests {
  @Test("The name takes the place of the template's in every form")
  func forms() {
    #expect(
      NewFlowNames("make-tea", checkout: nil).put(
        into: #"greet-people greet_people.py GreetPeopleTests "Greet people" .package(name: "coordinatord", path: "../../.."),"#)
        == #"make-tea make_tea.py MakeTeaTests "Make tea" "#
        + #".package(url: "https://github.com/coordinatord/coordinatord", branch: "main"),"#)
  }

  @Test(
    "The path of the checkout is one literal of the manifest, whatever is in it",
    arguments: [
      ("/src/coordinatord", "/src/coordinatord"), (#"x"), .unsafe("y"#, #"x\"), .unsafe(\"y"#), (#"a\(b)"#, #"a\\(b)"#),
      ("\"\u{301}", "\\\"\u{301}"), ("\\\u{301}\"", "\\\\\u{301}\\\""), ("/GreetPeople", "/GreetPeople"),
    ])
  func checkoutIsALiteral(path: String, literal: String) {
    let put = NewFlowNames("coffee", checkout: path).put(into: #".package(name: "coordinatord", path: "../../..")"#)
    #expect(Array(put.utf8) == Array(".package(name: \"coordinatord\", path: \"\(literal)\")".utf8))
  }
}
