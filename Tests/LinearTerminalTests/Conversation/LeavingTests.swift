import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("The way out of a flow", .timeLimit(.minutes(5)))
struct LeavingTests {
  private func screen(_ id: UInt64, of flow: String, layer: UInt32 = 0, back: Bool = true) throws -> PresentedScreen {
    PresentedScreen(
      id: id, coordinator: try ObjectPath("/org/coordinatord/Coordinator1/flows/\(flow)"), style: layer > 0 ? .modal : .push,
      layer: layer, back: back, screen: Samples.menu)
  }

  @Test("Going back from the root's first screen ends the flow, whatever is above or below it")
  func backFromTheFirstScreenEndsTheFlow() throws {
    func step(_ screens: PresentedScreen...) -> LeavingStep { LeavingStep(in: MirroredWindow(revision: 1, screens: screens)) }
    #expect(step() == .none)
    #expect(try step(screen(1, of: "a")) == .end)
    #expect(try step(screen(1, of: "a", back: false)) == .none)
    #expect(try step(screen(1, of: "a", layer: 1)) == .end)
    #expect(try step(screen(1, of: "a"), screen(2, of: "a")) == .back)
    #expect(try step(screen(1, of: "a"), screen(2, of: "a", layer: 1)) == .back)
    #expect(try step(screen(1, of: "a"), screen(2, of: "a/b_1")) == .back)
    #expect(try step(screen(2, of: "a/b_1")) == .mayEnd)
    #expect(try step(screen(2, of: "a/b_1"), screen(3, of: "a/b_1")) == .back)
    #expect(try step(screen(2, of: "a/b_1"), screen(3, of: "a/c_2")) == .back)
    #expect(try step(screen(2, of: "a/b_1"), screen(3, of: "a")) == .end)
  }

  @Test("A screen that says that Back ends the flow is believed, whatever else is shown")
  func screenSaysThatBackEndsTheFlow() throws {
    var child = try screen(2, of: "a/b_1")
    child.leaves = true
    let step = LeavingStep(in: MirroredWindow(revision: 1, screens: [try screen(1, of: "a"), child]))
    #expect(step == .end)
    #expect((step.title, step.hint.string) == ("End this flow", "end"))
    child.back = false
    #expect(LeavingStep(in: MirroredWindow(revision: 1, screens: [child])) == .none)
    #expect(LeavingStep.mayEnd.title == "Back")
  }

  @Test("Going back where only a child surely ends asks a weaker question")
  func childOnlyConfirmationIsWeaker() throws {
    var conversation = Conversation(tree: "a", style: TextStyle(), isInteractive: false)
    _ = conversation.handle(.event(.window(MirroredWindow(revision: 1, screens: [try screen(2, of: "a/b_1")]))))
    #expect(conversation.answer("b").prompt?.text == "Go back? This may end the flow for everyone who has it open. (y/N): ")
    #expect(conversation.answer("y") == [.back(screen: 2)])
  }

  @Test("'b' on the first screen asks before it ends the flow for everyone", arguments: [true, false])
  func endingTheFlowNeedsConfirmation(isInteractive: Bool) {
    var conversation = Conversation.showing(Samples.menu, isInteractive: isInteractive)
    #expect(conversation.answer("b") == [.prompt(Prompt("End this flow for everyone who has it open? (y/N): "))])
    #expect(conversation.answer(" Y ") == [.back(screen: 1)])
  }

  @Test("Any answer but yes to ending the flow keeps it and is not taken for a choice", arguments: ["", "n", "b", "2", "maybe"])
  func anyOtherAnswerKeepsTheFlow(line: String) {
    var conversation = Conversation.showing(Samples.menu)
    #expect(conversation.answer("b", line) == [.prompt(Prompt("Choice: "))])
    #expect(conversation.answer("2").delegation?.event == "sick")
  }

  @Test("The question about leaving is withdrawn on another screen, and other changes are shown after the answer")
  func questionIsWithdrawnOnAnotherScreen() {
    var screen = Samples.menu
    screen.body = "Think of it."
    var conversation = Conversation.showing(Samples.menu)
    _ = conversation.answer("b")
    #expect(conversation.handle(.event(.window(Samples.window(2, Samples.presented(screen))))).isEmpty)
    #expect(conversation.answer("n").lines.contains("Think of it."))
    _ = conversation.answer("b")
    let next = conversation.handle(
      .event(.window(Samples.window(3, Samples.presented(screen), Samples.presented(Samples.note, id: 2)))))
    #expect(next.first == .withdrawPrompt)
    #expect(next.prompt == Prompt("Choice [1]: "))
  }

  @Test("The user is not asked if nothing was answered or typed and the flow is shown nowhere else")
  func nothingIsAskedWhereNothingIsLost() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true, countsOthers: true)
    _ = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.menu)))))
    var shared = conversation
    #expect(conversation.answer("b") == [.countOthers])
    #expect(conversation.handle(.counted(others: 0)) == [.back(screen: 1)])
    #expect(shared.answer("b") == [.countOthers])
    #expect(shared.handle(.counted(others: 1)).prompt?.text == "End this flow for everyone who has it open? (y/N): ")
    #expect(shared.answer("y") == [.back(screen: 1)])
  }

  @Test("The user is asked at once if something was answered in a form")
  func answersInAFormAreConsidered() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true, countsOthers: true)
    _ = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.network)))))
    var untouched = conversation
    #expect(untouched.answer("b") == [.countOthers])
    #expect(conversation.answer("1", "b").prompt?.text == "End this flow for everyone who has it open? (y/N): ")
  }

  @Test("A screen that changes while the other renderers are counted is shown instead")
  func changedScreenIsShownInstead() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true, countsOthers: true)
    _ = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.menu)))))
    _ = conversation.answer("b")
    #expect(conversation.handle(.event(.window(Samples.window(2, Samples.presented(Samples.note, id: 2))))).isEmpty)
    #expect(conversation.handle(.counted(others: 0)).lines.contains("Welcome."))
  }

  @Test("The introduction says whether 'b' goes back or ends the flow")
  func introductionNamesTheWayOut() {
    for (back, isFirst) in [("b ends the flow, q leaves, ? shows help", true), ("b goes back, q leaves, ? shows help", false)] {
      var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true)
      let below = isFirst ? [] : [Samples.presented(Samples.note)]
      let window = MirroredWindow(revision: 1, screens: below + [Samples.presented(Samples.menu, id: 2)])
      #expect(conversation.handle(.event(.window(window))).lines.contains(back))
    }
  }
}
