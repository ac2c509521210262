import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A conversation about choices", .timeLimit(.minutes(5)))
struct ChoiceTests {
  @Test("The screen on top is printed, followed by a prompt")
  func topScreenIsPrintedWithAPrompt() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: false)
    let effects = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.menu)))))
    #expect(
      effects == [
        .print([
          "", "What is the visit for?", "", "  1) A check-up", "  2) My pet is sick",
        ]),
        .prompt(Prompt("Choice: ")),
      ])
  }

  @Test("A choice is delegated with the revision that the user has seen", arguments: ["2", " 2 ", "sick", "my pet is SICK"])
  func choiceIsDelegatedWithTheSeenRevision(line: String) {
    var conversation = Conversation.showing(Samples.menu)
    #expect(
      conversation.answer(line) == [
        .delegate(Delegation(coordinator: Samples.root, screen: 1, event: "sick", seen: 1))
      ])
  }

  @Test("An item of a list is chosen with the event 'select' and its id", arguments: ["2", "desk", "Desk"])
  func listItemIsSelectedById(line: String) {
    var conversation = Conversation.showing(Samples.list)
    let delegation = conversation.answer(line).delegation
    #expect(delegation?.event == "select")
    #expect(delegation?.payload == ["id": "desk"])
  }

  @Test("The actions of a list are numbered after its items")
  func listActionsAreNumberedAfterItems() {
    var conversation = Conversation.showing(Samples.list)
    #expect(conversation.answer("3").delegation?.event == "check-out")
  }

  @Test("A title is accepted without what explains it, unless several actions have that title")
  func titleIsAcceptedWithoutItsExplanation() {
    var disks = Screen.menu(
      "disks", title: "The disks",
      choices: [Action("home", "Format"), Action("work", "Format"), Action("all", "Eject")])
    let summaries = ["The disk at home.", "The disk at work.", "Both disks."]
    for (index, summary) in summaries.enumerated() { disks.actions[index].summary = summary }
    var conversation = Conversation.showing(disks)
    #expect(conversation.answer("format").delegation == nil)
    #expect(conversation.answer("format: the disk at work.").delegation?.event == "work")
    var other = Conversation.showing(disks)
    #expect(other.answer("eject").delegation?.event == "all")
  }

  @Test("An empty line chooses the primary action of a message, but nothing in a menu or list")
  func emptyLineTakesThePrimaryAction() {
    var note = Conversation.showing(Samples.note)
    #expect(note.answer("").delegation?.event == "go")
    var menu = Conversation.showing(Samples.menu)
    #expect(menu.answer("").delegation == nil)
    var list = Conversation.showing(Samples.list)
    #expect(list.answer("").delegation == nil)
  }

  @Test(
    "Yes and no can be typed as letters where they are the only answers, whatever their titles",
    arguments: [("y", "yes"), ("Y", "yes"), ("=y", "yes"), ("n", "no"), ("NO", "no"), ("discard", "yes")])
  func lettersAnswerYesOrNo(line: String, event: String) {
    let question = Screen.menu("sure", title: "Discard it?", choices: [Action("yes", "Discard"), Action("no", "Keep")])
    var conversation = Conversation.showing(question)
    #expect(conversation.answer(line).delegation?.event == event)
    var three = question
    three.actions.append(Action("later", "Later"))
    var open = Conversation.showing(three)
    #expect((open.answer(line).delegation?.event == event) == (line == "discard"))
    var other = Conversation.showing(Samples.menu)
    #expect(other.answer(line).delegation == nil)
  }

  @Test("A letter for a destructive yes is as careful as its id: both lead to the same question")
  func letterForADestructiveYesIsCareful() {
    let question = Screen.menu(
      "erase", title: "Erase it?", choices: [.destructive("yes", "Erase").confirming("Really?"), Action("no", "Keep")])
    for line in ["y", "yes"] {
      var conversation = Conversation.showing(question)
      #expect(conversation.answer(line) == [.prompt(Prompt("Really? (y/N): "))])
      #expect(conversation.answer("y").delegation?.event == "yes")
    }
  }

  @Test("After an invalid choice the user is asked again", arguments: ["0", "3", "-1", "well done", "99999999999999999999", ""])
  func invalidChoiceIsAskedForAgain(line: String) {
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.answer(line)
    #expect(effects == [.print(["Enter a number from 1 to 2."]), .prompt(Prompt("Choice: "))])
    #expect(conversation.answer("1").delegation?.event == "well")
  }

  @Test("'b' goes back where that is possible")
  func backIsTakenWherePossible() {
    var conversation = Conversation.showing(Samples.menu)
    _ = conversation.handle(
      .event(.window(Samples.window(2, Samples.presented(Samples.note), Samples.presented(Samples.menu, id: 2)))))
    #expect(conversation.answer("b") == [.back(screen: 2)])
    var stuck = Conversation.showing(Samples.menu, back: false)
    let effects = stuck.answer("b")
    #expect(effects.lines == ["There is no way back from this screen."])
    #expect(effects.prompt != nil)
  }

  @Test("Leaving keeps the flow running and says how to come back")
  func leavingKeepsTheFlowAndSaysHowToReturn() {
    for input in [Conversation.Input.line("q"), .endOfInput] {
      var conversation = Conversation.showing(Samples.menu)
      let effects = conversation.handle(input)
      #expect(effects.exit == .success)
      #expect(effects.lines.last?.contains("coordinator-tui pets_1") == true)
      #expect(conversation.handle(.line("1")).isEmpty)
    }
  }

  @Test("'?' prints help and asks again")
  func helpIsPrintedBeforeThePrompt() {
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.answer("?")
    #expect(effects.lines.contains { $0.hasPrefix("b or :b ends the flow") })
    #expect(effects.prompt == Prompt("Choice: "))
  }

  @Test("Lines typed while a call is in progress are ignored")
  func linesDuringACallAreIgnored() {
    var conversation = Conversation.showing(Samples.menu)
    _ = conversation.answer("1")
    #expect(conversation.answer("1").isEmpty)
  }
}
