import CoordinatorBus
import CoordinatorKit
import Testing
import Themes

@testable import CoordinatorTerminal

@Suite("The appearance of screens", .timeLimit(.minutes(5)))
struct GoldenFrameTests {
  @Test("A form is drawn with the error beside its field")
  func formIsDrawnWithItsErrors() {
    var display = Display.showing(Samples.logIn)
    display.press(.tab)
    display.type("open")
    display.press(.enter)
    #expect(
      display.lines(40, 16) == [
        "                                 pets_1",
        "",
        " Log in",
        "",
        " ┃ User name",
        " ┃",
        " ┃ ✗ User name is required",
        "",
        "   Password",
        "   ••••",
        "",
        " [ Log in ]  [ Cancel ]",
        "", "", "",
        " Enter next · Esc end · F1 help",
      ])
  }

  @Test("A modal menu is drawn over the screen that it covers")
  func modalMenuIsDrawnOverItsScreen() {
    var display = Display.showing(
      Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2, layer: 1)))
    #expect(
      display.lines(60, 16) == [
        "  Happy Tails Animal Clinic › What is the visit for?",
        "",
        "  Happy Tails Animal Clinic",
        "",
        "             ╭────────────────────────────────╮",
        "             │ What is the visit for?         │",
        "             │                                │",
        "             │ ❯ 1 A check-up                 │",
        "             │   2 My pet is sick             │",
        "             ╰────────────────────────────────╯",
        "", "", "", "", "",
        "  Enter choose · ↑↓ move · Esc back · F1 help · q leave",
      ])
  }

  @Test("A list is drawn with wide characters in columns and its focused row")
  func listIsDrawnWithWideCharacters() {
    var display = Display.showing(
      Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.kanji, id: 2)))
    #expect(
      display.lines(40, 12) == [
        " Happy Tails Animal Clinic › 日本人",
        " 日本人",
        "",
        " ❯ 日  day, sun",
        "   本  book, origin",
        "   人  person",
        "", "", "", "", "",
        " Enter choose · Esc back · F1 help",
      ])
  }

  @Test("The roles of actions are distinguishable without color, even in ASCII")
  func rolesAreDistinguishableWithoutColor() {
    var screen = Samples.home
    screen.actions = [.primary("a", "Do"), Action("b", "Other"), .destructive("c", "Erase"), .cancel("d", "Leave")]
    var display = Display.showing(screen)
    #expect(display.lines().contains("  [ Do ]  [ Other ]  [! Erase ]  [ Leave ]"))
    screen.kind = .menu
    var menu = Display.showing(screen, isUnicode: false)
    #expect(menu.lines()[8...10] == ["  > 1 Do", "    2 Other", "    3 ! Erase"])
    #expect(menu.lines()[4...6] == ["  * No visit was scheduled.", "", "  We look after your pet."], "as on a page")
  }

  @Test("Progress is drawn as a bar, or as a spinner if its end is unknown")
  func progressIsDrawnWithAndWithoutAnEnd() {
    var display = Display.showing(Samples.installing)
    #expect(display.lines()[4...5] == ["  Copying files", "  ██████████████████░░░░░░░░░░░░░░░░░░░░░░ 45%"])
    var busy = Display.showing(Samples.busy)
    #expect(busy.lines()[4] == "  ⠋ Checking the password")
    #expect(busy.text().contains("    demo"))
  }

  @Test("Fields of all kinds are drawn")
  func fieldsOfAllKindsAreDrawn() {
    var display = Display.showing(Samples.everything)
    display.press(.tab, .tab, .tab, .tab, .down)
    #expect(
      display.lines(60, 40)[2...36] == [
        "  Everything",
        "",
        "  ! It is late.",
        "",
        "  All kinds of fields.",
        "",
        "    Name",
        "    As on your card.",
        "",
        "    ✗ is taken",
        "",
        "    E-mail  optional",
        "",
        "",
        "    Age",
        "",
        "",
        "    [ ] Send me news",
        "",
        "  ┃ Order",
        "  ┃   ○ As written",
        "  ┃   ● By author",
        "  ┃ ❯ ○ Shuffled",
        "",
        "    Days  optional",
        "      [ ] Monday",
        "      [ ] Tuesday",
        "",
        "    Tags  optional",
        "    Separate multiple values with commas.",
        "",
        "",
        "  [ Send ]  [! Erase all ]  [ Never mind ]  [ More ]",
        "", "",
      ])
  }

  @Test("An unknown kind of screen is explained instead of drawn")
  func unknownKindOfScreenIsExplained() {
    var display = Display.showing(Samples.unknown)
    #expect(display.text(40, 12).contains("This screen cannot be shown here.\n Answer it in another renderer."))
  }

  @Test("An accent is mapped to the nearest color of the palette")
  func accentIsMappedToThePalette() {
    let expected: [(String?, Look.Colour?)] = [
      ("#F5001C", .red), ("#ED8212", .yellow), ("#3BB821", .green), ("#2E4ACC", .blue), ("#00FFFF", .cyan), ("#FF00FF", .magenta),
      ("#808080", nil), ("red", nil), ("#12345", nil), ("#+12345", nil), (nil, nil),
    ]
    for (accent, colour) in expected { #expect(accent.flatMap { RGBColor($0) }?.paletteColour == colour, "\(accent ?? "")") }
  }
}
