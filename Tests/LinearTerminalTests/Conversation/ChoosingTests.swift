import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("Groups, suggestions, several choices and answers to check, line by line", .timeLimit(.minutes(5)))
struct ChoosingTests {
  private static let single = Screen.list(
    "tools", title: "Tools",
    items: [
      Item("vim", "vim", subtitle: "an editor", group: "Editors"), Item("ed", "ed", group: "Editors"),
      Item("gcc", "gcc, the compiler", group: "Tools"),
      Item("swift", "swift", group: "Tools", disabled: "The disk is too small."),
      Item("nothing", "Nothing"),
    ], actions: [Action("skip", "Skip")])

  private static let check = Screen.message("check", title: "Check your answers", actions: [.primary("apply", "Apply")])
    .reviewing([
      ReviewRow("Name", "Ada", on: ScreenID(3)), ReviewRow("Zone", "UTC"), ReviewRow("Packages", "vim\ned", on: ScreenID(4)),
    ]).step(4, of: 4)

  @Test("The rows of a group are below its heading", arguments: [true, false])
  func groupsHaveHeadings(isConversation: Bool) {
    let rows = [
      "Editors:", "  1) vim - an editor", "  2) ed", "Tools:", "  3) gcc, the compiler", "  4) swift - (The disk is too small.)",
      "",
      "  5) Nothing",
    ]
    if isConversation {
      var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true)
      let lines = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Self.single))))).lines
      #expect(lines.firstRange(of: rows + ["", "  6) Skip"]) != nil, "\(lines)")
    } else {
      #expect(LinearRenderer(style: TextStyle()).choices(of: Self.single) == rows + ["  6) Skip"])
    }
  }

  @Test("An empty line takes the suggested row, which the prompt names")
  func emptyLineTakesTheSuggestedRow() {
    var conversation = Conversation.showing(Self.single.choosing(initial: ["ed"]))
    #expect(conversation.answer("?").prompt == Prompt("Choice [2) ed]: "))
    #expect(conversation.answer("").delegation?.payload == ["id": "ed"])
  }

  @Test("On a long list with a suggested row, '+' shows more rows")
  func plusShowsMoreRows() {
    let items = (1...50).map { Item("row-\($0)", verbatim: "Row \($0)") }
    var conversation = Conversation.showing(Screen.list("rows", title: "Rows", items: items).choosing(initial: ["row-40"]))
    let more = conversation.answer("+")
    #expect(more.lines.first == "  21) Row 21")
    #expect(more.lines.last?.hasPrefix("  40 of 50. + shows more") == true)
    #expect(more.prompt == Prompt("Choice [40) Row 40] (+: more, /text: find): "))
    #expect(conversation.answer("").delegation?.payload == ["id": "row-40"])
  }

  @Test("A row that cannot be chosen says why")
  func disabledRowSaysWhy() {
    var conversation = Conversation.showing(Self.single)
    #expect(conversation.answer("4").lines == ["Note: The disk is too small."])
    #expect(conversation.answer("1").delegation?.payload == ["id": "vim"])
  }

  @Test(
    "Several rows are chosen by numbers, names or ids between commas",
    arguments: [
      ("1,2", ["vim", "ed"]), ("ED , 1", ["vim", "ed"]), ("gcc, the compiler", ["gcc"]), ("", ["ed"]), ("3", ["gcc"]),
    ])
  func severalRowsAreChosen(line: String, ids: [String]) {
    var conversation = Conversation.showing(Self.single.choosing(1...2, initial: ["ed"]))
    #expect(conversation.answer("?").prompt == Prompt("Choose 1 to 2, separated by commas [2]: "))
    #expect(conversation.answer(line).delegation?.payload == ["ids": .array(ids.map { .string($0) })])
  }

  @Test("What cannot be sent of several rows is said, and nothing is sent")
  func wrongRowsAreRefused() {
    var conversation = Conversation.showing(Self.single.choosing(1...2))
    #expect(conversation.answer("").lines == ["Choose 1 to 2: 0 chosen."])
    #expect(conversation.answer("1,2,3").lines == ["Choose 1 to 2: 3 chosen."])
    #expect(conversation.answer("1,4").lines == ["swift cannot be chosen: The disk is too small."])
    #expect(conversation.answer("1,9").lines.first?.hasPrefix("There is no row '9'.") == true)
    #expect(conversation.answer("9").lines.first?.hasPrefix("Enter a number") == true)
    #expect(conversation.answer("6").delegation?.event == "skip")
  }

  @Test("'none' chooses nothing where that is allowed")
  func noneChoosesNothing() {
    var conversation = Conversation.showing(Self.single.choosing(0...2, initial: ["ed"]))
    #expect(conversation.answer("none").delegation?.payload == ["ids": []])
    var empty = Conversation.showing(Self.single.choosing(0...2))
    #expect(empty.answer("?").prompt == Prompt("Choose up to 2, separated by commas [none]: "))
    #expect(empty.answer("").delegation?.payload == ["ids": []])
  }

  @Test("Answers to check are printed with their titles, and those that can be changed are choices")
  func answersToCheckAreChoices() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: false)
    let effects = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Self.check)))))
    #expect(
      effects.lines == [
        "", "Check your answers", "Step 4 of 4", "", "Name: Ada", "Zone: UTC", "Packages: vim", "  ed", "",
        "  1) Apply", "  2) Change Name", "  3) Change Packages",
      ])
    #expect(effects.prompt == Prompt("Choice [1]: "))
    var changed = conversation
    #expect(changed.answer("3").delegation?.payload == ["id": 4])
    #expect(conversation.answer("change name").delegation?.event == "change")
  }

  @Test("A structured text has marks that can be read aloud, and no control characters")
  func structuredTextHasMarks() {
    let text = "**Never** type `rm\u{1B}[2J`, says the [manual](https://example.org).\n\n- one\n- two\n\n```\na\tb\n```"
    let screen = Screen.message("text", title: "Text").with(Markup(Text(verbatim: text))).with(.code("https://example.org/pair"))
    #expect(
      LinearRenderer(style: TextStyle()).heading(of: screen).dropFirst() == [
        "*Never* type `rm[2J`, says the manual (https://example.org).", "", "- one", "- two", "", "    a       b", "",
        "QR code: https://example.org/pair",
      ])
    let bold = LinearRenderer(style: TextStyle(isColoured: true)).heading(of: screen)
    #expect(bold[1].hasPrefix("\u{1B}[1mNever\u{1B}[0m type"))
  }
}
