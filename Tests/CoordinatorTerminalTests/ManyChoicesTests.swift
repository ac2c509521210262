import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("A choice among many on the full screen", .timeLimit(.minutes(5)))
struct ManyChoicesTests {
  private static let cities = ["Amsterdam", "Berlin", "Brüssel", "Dublin", "Kopenhagen", "Lissabon", "Madrid", "Paris", "Rom"]

  private func screen(_ schema: Schema) -> Screen {
    Screen(
      "city", kind: .form, title: "Where?", actions: [.primary("go", "Go")],
      form: Form(Field("city", schema), Field("name", .string(title: "Name"))))
  }

  private var single: Screen {
    screen(.choice(title: "City", Self.cities.map { ($0.lowercased(), Text(verbatim: $0)) }))
  }

  @Test("The choices are filtered while their user types, and Enter picks the best match")
  func choicesAreFiltered() {
    var display = Display.showing(single)
    #expect(display.text(60, 24).contains("type to filter"))
    display.type("bru")
    #expect(display.text(60, 24).contains("1 of 9"))
    #expect(display.text(60, 24).contains("❯ ○ Brüssel"))
    display.press(.enter)
    #expect(display.text(60, 24).contains("   Brüssel"))
    display.type("me")
    #expect(display.press(.enter).delegation?.payload == ["city": "brüssel", "name": "me"])
  }

  @Test("What is below the choices does not move while they are filtered")
  func nothingMoves() {
    var display = Display.showing(single)
    let row = display.lines(60, 24).firstIndex { $0.contains("Name") }
    for text in ["b", "e", "x"] {
      display.type(text)
      #expect(display.lines(60, 24).firstIndex { $0.contains("Name") } == row)
    }
  }

  @Test("A blank between typed words filters several choices, and picks none")
  func blankFilters() {
    let towns = Self.cities + ["New York", "Newark"]
    var display = Display.showing(
      screen(.array(of: .choice(title: "City", towns.map { ($0.lowercased(), Text(verbatim: $0)) }), title: "Cities")))
    display.type("new y")
    #expect(display.text(60, 24).contains("❯ [ ] New York"))
    display.press(.up, .character(" "))
    #expect(display.text(60, 24).contains("❯ [x] New York"))
  }

  @Test("A choice whose title does not fit is below the choices in full, and nothing moves with it")
  func longTitleIsShownInFull() {
    let titles = Self.cities + ["A city with a name so long that no terminal of sixty columns has room for it"]
    var display = Display.showing(screen(.choice(title: "City", titles.map { ($0.lowercased(), Text(verbatim: $0)) })))
    let row = display.lines(60, 24).firstIndex { $0.contains("Name") }
    display.type("long")
    #expect(display.text(60, 24).contains("…"))
    #expect(display.text(60, 24).contains("room for it"))
    #expect(display.lines(60, 24).firstIndex { $0.contains("Name") } == row)
  }

  @Test("Where nothing matches, Enter says so and picks nothing, and Esc shows all choices again")
  func nothingMatches() {
    var display = Display.showing(single)
    display.type("xyz")
    #expect(display.press(.enter).isEmpty)
    #expect(display.text(60, 24).contains("• Nothing matches."))
    #expect(display.press(.escape).isEmpty)
    #expect(display.text(60, 24).contains("Amsterdam"))
  }

  @Test("The arrows move among the choices that match, and leave the field at its end")
  func arrows() {
    var display = Display.showing(single)
    display.type("n")
    let count = Self.cities.count { $0.lowercased().contains("n") }
    for _ in 1..<count { display.press(.down) }
    #expect(display.text(60, 24).contains("❯"))
    display.press(.down)
    #expect(!display.text(60, 24).contains("❯"))
  }

  @Test("Few choices are all shown, and no letter filters them")
  func few() {
    var display = Display.showing(
      screen(.choice(title: "City", Self.cities.prefix(6).map { ($0.lowercased(), Text(verbatim: $0)) })))
    display.type("b")
    #expect(display.text(60, 24).contains("Amsterdam"))
    #expect(!display.text(60, 24).contains("type to filter"))
  }
}
