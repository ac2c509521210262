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
