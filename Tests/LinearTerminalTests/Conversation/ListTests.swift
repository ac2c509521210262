import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A conversation about lists", .timeLimit(.minutes(5)))
struct ListTests {
  private static func networks(_ names: String..., subtitle: String? = nil, isBusy: Bool = false) -> Screen {
    Screen(
      "networks", kind: .list, title: "Networks", actions: [Action("skip", "Skip")],
      items: names.map { Item($0.lowercased(), verbatim: $0, subtitle: subtitle) },
      progress: isBusy ? Progress(text: "Looking") : nil)
  }

  private static func rows(_ count: Int) -> Screen {
    Screen(
      "zones", kind: .list, title: "Zones", actions: [Action("skip", "Skip")],
      items: (1...count).map {
        Item("zone-\($0)", Text(verbatim: "Zone \($0)"), subtitle: $0.isMultiple(of: 100) ? "round" : nil)
      })
  }

  private func show(_ screen: Screen, _ revision: UInt64, in conversation: inout Conversation) -> [Conversation.Effect] {
    conversation.handle(.event(.window(Samples.window(revision, Samples.presented(screen)))))
  }

  @Test("An item keeps its number while the list changes, and only differences are printed")
  func itemsKeepTheirNumbersWhileTheListChanges() {
    var conversation = Conversation.showing(Self.networks("Home", "Office"))
    let news = show(Self.networks("Neighbour", "Office", "Home"), 2, in: &conversation)
    #expect(news == [.interruptPrompt, .print(["New: 4) Neighbour"]), .prompt(Prompt("Choice: "))])
    #expect(show(Self.networks("Neighbour", "Office"), 3, in: &conversation).lines == ["Gone: 1) Home"])
    for (line, id) in [("2", "office"), ("4", "neighbour")] {
      var same = conversation
      #expect(same.answer(line).delegation?.payload == ["id": .string(id)])
    }
    var skip = conversation
    #expect(skip.answer("3").delegation?.event == "skip")
    #expect(conversation.answer("1").lines.first == "The choice with this number is gone.")
    #expect(show(Self.networks("Home", "Office"), 4, in: &conversation).lines == ["Gone: 4) Neighbour", "New: 1) Home"])
  }

  @Test("A new order and repeated work print nothing, while a new subtitle is printed")
  func reorderingAndRepeatedWorkPrintNothing() {
    var conversation = Conversation.showing(Self.networks("Home", "Office"))
    #expect(show(Self.networks("Office", "Home"), 2, in: &conversation).isEmpty)
    #expect(show(Self.networks("Office", "Home", isBusy: true), 3, in: &conversation).lines == ["Looking"])
    #expect(show(Self.networks("Office", "Home"), 4, in: &conversation).isEmpty)
    #expect(show(Self.networks("Office", "Home", isBusy: true), 5, in: &conversation).isEmpty)
    #expect(
      show(Self.networks("Office", "Home", subtitle: "near"), 6, in: &conversation).lines
        == ["Now: 2) Office - near", "Now: 1) Home - near"])
    #expect(conversation.answer("2").delegation?.seen == 6)
  }

  @Test("The numbers restart after another screen was shown in between")
  func numbersRestartAfterAnotherScreen() {
    var conversation = Conversation.showing(Self.networks("Home", "Office"))
    _ = conversation.handle(
      .event(
        .window(Samples.window(2, Samples.presented(Self.networks("Home", "Office")), Samples.presented(Samples.note, id: 2)))))
    let lines = show(Self.networks("Office", "Home"), 3, in: &conversation).lines
    #expect(lines.contains("  1) Office"))
  }

  @Test("A long list is printed in pages, with its actions")
  func longListIsPrintedInPages() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: false)
    let first = show(Self.rows(553), 1, in: &conversation)
    #expect(first.lines.filter { $0.contains(") Zone ") }.count == 20)
    #expect(first.lines.contains("  554) Skip"))
    #expect(first.lines.contains { $0.hasPrefix("  20 of 553. Enter shows more") })
    #expect(first.prompt == Prompt("Choice (Enter: more, /text: find): "))
    let second = conversation.answer("")
    #expect(second.lines.first == "   21) Zone 21")
    #expect(second.lines.last?.hasPrefix("  40 of 553.") == true)
    var byNumber = conversation
    #expect(byNumber.answer("500").delegation?.payload == ["id": "zone-500"])
    var byName = conversation
    #expect(byName.answer("zone 432").delegation?.payload == ["id": "zone-432"])
    #expect(conversation.answer("zone-17").delegation?.payload == ["id": "zone-17"])
  }

  @Test("'/' shows only the rows of a list that contain some words")
  func rowsAreFoundByTheirWords() {
    var conversation = Conversation.showing(Self.rows(553))
    #expect(
      conversation.answer("/round").lines
        == [100, 200, 300, 400, 500].map { "  \($0)) Zone \($0) - round" } + ["  5 of 553 match. / shows the list again."])
    let one = conversation.answer("/ROUND 3")
    #expect(one.lines == ["  300) Zone 300 - round", "  1 of 553 match. / shows the list again."])
    #expect(one.prompt == Prompt("Choice [300) Zone 300]: "))
    var only = conversation
    #expect(only.answer("").delegation?.payload == ["id": "zone-300"])
    #expect(conversation.answer("/zone").lines.last?.hasPrefix("  553 of 553 match, 20 are printed so far. Enter shows") == true)
    #expect(conversation.answer("/nowhere").lines == ["  No rows match these words. / shows the list again."])
    #expect(conversation.answer("/").lines.first == "    1) Zone 1")
    #expect(conversation.answer("").lines.first == "   21) Zone 21")
    #expect(conversation.answer("nonsense").lines.last?.contains("/text finds rows") == true)
  }

  @Test("What matches is marked where there are colors, and only there")
  func matchesAreMarked() {
    let screen = Screen.list("l", title: "L", items: [Item("a", "Ångström Street", subtitle: "in the old town"), Item("b", "B")])
    for isColoured in [true, false] {
      var conversation = Conversation(tree: "x", style: TextStyle(isColoured: isColoured), isInteractive: true)
      _ = show(screen, 1, in: &conversation)
      let line = conversation.answer("/ang town").lines.first
      #expect(
        line
          == (isColoured
            ? "  1) \u{1B}[1mÅng\u{1B}[0mström Street\u{1B}[2m - \u{1B}[0m\u{1B}[2min the old \u{1B}[0m\u{1B}[1mtown\u{1B}[0m"
            : "  1) Ångström Street - in the old town"))
    }
  }

  @Test("While a list changes, what was looked for still filters it")
  func searchSurvivesChanges() {
    var conversation = Conversation.showing(Self.rows(553))
    _ = conversation.answer("/round")
    _ = show(Self.rows(600), 2, in: &conversation)
    #expect(conversation.answer("+").lines.last?.contains("6 of 600 match") == true)
  }

  @Test("An item whose id begins with a slash can be chosen by it")
  func itemWhoseIdBeginsWithASlashIsChosen() {
    let disks = Screen("disks", kind: .list, title: "Disks", items: [Item("/dev/sda", "A"), Item("/dev/sdb", "B")])
    var conversation = Conversation.showing(disks)
    #expect(conversation.answer("/dev/sdb").delegation?.payload == ["id": "/dev/sdb"])
  }

  @Test("Many changes at once are summarized")
  func manyChangesAreSummarized() {
    var conversation = Conversation.showing(Self.rows(1))
    let lines = show(Self.rows(100), 2, in: &conversation).lines
    #expect(lines.count == 21)
    #expect(lines.last == "  and 79 more changes; / shows the list again.")
  }

  @Test("An empty line chooses neither the action beside a list nor the one that stops work")
  func emptyLineChoosesNoSecondaryAction() {
    var list = Conversation.showing(Self.networks())
    #expect(list.answer("").delegation == nil)
    var busy = Conversation.showing(Samples.busy)
    #expect(busy.answer("").delegation == nil)
    #expect(busy.answer("1").delegation?.event == "cancel")
  }
}
