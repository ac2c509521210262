import CoordinatorClient
import CoordinatorKit
import Testing

@testable import CoordinatorTools

@Suite("A conversation about choices")
struct ChoiceTests {
  @Test("prints the screen on top, and asks")
  func shows() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: false)
    let effects = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.menu)))))
    #expect(
      effects == [
        .print([
          "", "What is the visit for?", "----------------------", "", "  1) A check-up", "  2) My pet is sick",
        ]),
        .prompt(Prompt("Choice: ")),
      ])
  }

  @Test("delegates what was chosen, with the revision that was seen", arguments: ["2", " 2 ", "sick", "my pet is SICK"])
  func choose(line: String) {
    var conversation = Conversation.showing(Samples.menu)
    #expect(
      conversation.answer(line) == [
        .delegate(Delegation(coordinator: Samples.root, screen: 1, event: "sick", seen: 1))
      ])
  }

  @Test("chooses an item of a list by select with its id", arguments: ["2", "desk", "Desk"])
  func item(line: String) {
    var conversation = Conversation.showing(Samples.list)
    let delegation = conversation.answer(line).delegation
    #expect(delegation?.event == "select")
    #expect(delegation?.payload == ["id": "desk"])
  }

  @Test("numbers the actions of a list after its items")
  func actionOfList() {
    var conversation = Conversation.showing(Samples.list)
    #expect(conversation.answer("3").delegation?.event == "check-out")
  }

  @Test("takes an empty line for the primary action, but not where it is one of several kinds of choice")
  func emptyLine() {
    var note = Conversation.showing(Samples.note)
    #expect(note.answer("").delegation?.event == "go")
    var menu = Conversation.showing(Samples.menu)
    #expect(menu.answer("").delegation == nil)
    var list = Conversation.showing(Samples.list)
    #expect(list.answer("").delegation == nil)
  }

  @Test("asks again for what is no choice", arguments: ["0", "3", "-1", "well done", "99999999999999999999", ""])
  func noChoice(line: String) {
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.answer(line)
    #expect(effects == [.print(["Choose with a number from 1 to 2."]), .prompt(Prompt("Choice: "))])
    #expect(conversation.answer("1").delegation?.event == "well")
  }

  @Test("goes back where that is possible")
  func back() {
    var conversation = Conversation.showing(Samples.menu)
    _ = conversation.handle(
      .event(.window(Samples.window(2, Samples.presented(Samples.note), Samples.presented(Samples.menu, id: 2)))))
    #expect(conversation.answer("b") == [.back(screen: 2)])
    var stuck = Conversation.showing(Samples.menu, back: false)
    let effects = stuck.answer("b")
    #expect(effects.lines == ["There is no way back from this screen."])
    #expect(effects.prompt != nil)
  }

  @Test("leaves the flow alone when its user leaves, and says how to come back")
  func leave() {
    for input in [Conversation.Input.line("q"), .endOfInput] {
      var conversation = Conversation.showing(Samples.menu)
      let effects = conversation.handle(input)
      #expect(effects.exit == .success)
      #expect(effects.lines.last?.contains("coordinator-tui pets_1") == true)
      #expect(conversation.handle(.line("1")).isEmpty)
    }
  }

  @Test("helps and asks again")
  func help() {
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.answer("?")
    #expect(effects.lines.contains { $0.contains("goes back") })
    #expect(effects.prompt == Prompt("Choice: "))
  }

  @Test("ignores lines while a call is under way")
  func busy() {
    var conversation = Conversation.showing(Samples.menu)
    _ = conversation.answer("1")
    #expect(conversation.answer("1").isEmpty)
  }
}
