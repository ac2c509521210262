import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("A conversation that follows the daemon", .timeLimit(.minutes(5)))
struct NewsTests {
  private let next = Samples.window(2, Samples.presented(Samples.note, id: 2))

  private func after(_ line: String, _ screen: Screen = Samples.menu) -> Conversation {
    var conversation = Conversation.showing(screen)
    _ = conversation.answer(line)
    return conversation
  }

  @Test("The next screen is shown once both the reply and the window have arrived, in either order")
  func nextScreenNeedsAnswerAndWindow() {
    var answerFirst = after("1")
    #expect(answerFirst.handle(.accepted(revision: 2)).isEmpty)
    #expect(answerFirst.handle(.event(.window(next))).lines.contains("Home"))
    var windowFirst = after("1")
    #expect(windowFirst.handle(.event(.window(next))).isEmpty)
    #expect(windowFirst.handle(.accepted(revision: 2)).lines.contains("Home"))
  }

  @Test("A screen that the user may only see says who may answer, and no choice of it is sent")
  func closedScreenIsOnlyShown() {
    var window = Samples.window(1, Samples.presented(Samples.menu))
    window.closed = "only ada may answer"
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.handle(.event(.window(window)))
    #expect(effects.lines.contains { $0.contains("You can see this, but not answer it: only ada may answer") }, "\(effects)")
    let refused = conversation.answer("1")
    #expect(refused.delegation == nil)
    #expect(refused.lines.contains { $0.contains("You can see this, but not answer it.") }, "\(refused)")
  }

  @Test("A form that the user may only see asks for no field, not even one that it had asked for")
  func closedFormAsksNothing() {
    var window = Samples.window(1, Samples.presented(Samples.logIn))
    window.closed = "only ada may answer"
    var conversation = Conversation.showing(Samples.logIn)
    let effects = conversation.handle(.event(.window(window)))
    #expect(effects.lines.contains { $0.contains("You can see this, but not answer it: only ada may answer") }, "\(effects)")
    let refused = conversation.answer("demo")
    #expect(!refused.lines.contains { $0.contains("Field 2") } && refused.delegation == nil, "\(refused)")
  }

  @Test("A window that is older than the reply is not shown")
  func windowOlderThanTheReplyIsNotShown() {
    var conversation = after("1")
    _ = conversation.handle(.accepted(revision: 3))
    #expect(conversation.handle(.event(.window(next))).isEmpty)
    let third = Samples.window(3, Samples.presented(Samples.list, id: 3))
    #expect(conversation.handle(.event(.window(third))).lines.contains("Products"))
  }

  @Test("An answer that changes nothing visible is reported, and the user is asked again")
  func answerWithoutAnEffectIsReported() {
    var conversation = after("1")
    let effects = conversation.handle(.accepted(revision: 1))
    #expect(effects == [.print(["Nothing has changed."]), .prompt(Prompt("Choice: "))])
  }

  @Test("The conversation follows another renderer while it waits for an answer")
  func otherRendererIsFollowedDuringThePrompt() {
    var conversation = Conversation.showing(Samples.menu)
    let effects = conversation.handle(.event(.window(next)))
    #expect(effects.first == .withdrawPrompt)
    #expect(effects.lines.contains("Home"))
    #expect(effects.prompt == Prompt("Choice [1]: "))
  }

  @Test("A held flow shows a sentence without its reason instead of a screen, then the screen once it is restored")
  func heldFlowShowsItsReasonInsteadOfAScreen() {
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true)
    let held = MirroredWindow(revision: 2, screens: [], held: "the flow pets no longer exists")
    let sentence = "This step cannot continue at the moment. What was entered so far is kept."
    #expect(conversation.handle(.event(.window(held))).lines.contains(sentence))
    #expect(conversation.handle(.event(.window(next))).lines.contains("Home"))
    // The flow may be held when a daemon comes back.
    #expect(conversation.handle(.event(.window(held))).lines.contains(sentence))
    // A script does not keep waiting.
    var script = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: false)
    #expect(script.handle(.event(.window(held))) == [.print(["", sentence]), .leave(.error)])
  }

  @Test("An answer in another renderer is reported before the next screen is shown")
  func answerOfAnotherRendererIsReportedFirst() {
    var conversation = Conversation.showing(Samples.menu)
    let answer = Answer(screen: 1, event: "well", kind: "web", client: ":1.2")
    #expect(conversation.handle(.event(.answered(answer))).isEmpty)
    let lines = conversation.handle(.event(.window(next))).lines
    #expect(lines.firstIndex(of: "Answered in the browser.") ?? .max < lines.firstIndex(of: "Home") ?? .min)
  }

  @Test("A change of a covered screen does not disturb the user and counts as seen")
  func coveredScreenChangesSilently() {
    let top = Samples.presented(Samples.menu, id: 2)
    var conversation = Conversation(tree: "pets_1", style: TextStyle(), isInteractive: true)
    _ = conversation.handle(.event(.window(Samples.window(1, Samples.presented(Samples.note), top))))
    #expect(conversation.handle(.event(.window(Samples.window(2, Samples.presented(Samples.list), top)))).isEmpty)
    #expect(conversation.answer("1").delegation?.seen == 2)
  }

  @Test(
    "When another client was faster the user learns of it and sees the current screen",
    arguments: [
      ClientError.refused(.staleScreen(1, why: .gone)), .refused(.staleScreen(1, why: .covered)), Samples.unknownObject(),
    ])
  func lostRaceShowsTheCurrentScreen(error: ClientError) {
    var newsLater = after("1")
    #expect(newsLater.handle(.refused(error)) == [.print(["Someone else has answered this screen."])])
    #expect(newsLater.handle(.event(.window(next))).lines.contains("Home"))
    var newsFirst = after("1")
    _ = newsFirst.handle(.event(.window(next)))
    #expect(newsFirst.handle(.refused(error)).lines.contains("Home"))
  }

  @Test("A screen that changed before it was answered is reported")
  func changedScreenIsReported() {
    var conversation = after("1")
    let effects = conversation.handle(.refused(.refused(.staleScreen(1, why: .changed))))
    #expect(effects.lines == ["This screen has changed in the meantime."])
  }

  @Test("A refusal is printed with its reason, and the user is asked again")
  func refusalIsPrintedWithItsReason() {
    var conversation = after("1")
    let effects = conversation.handle(.refused(.refused(.denied(message: "The basket is empty."))))
    #expect(effects == [.print(["Error: The basket is empty."]), .prompt(Prompt("Choice: "))])
  }

  @Test("The conversation waits while the daemon is away and continues when it is back")
  func conversationWaitsWhileTheDaemonIsAway() {
    var conversation = Conversation.showing(Samples.menu)
    let lost = conversation.handle(.event(.daemonLost))
    #expect(lost.first == .withdrawPrompt)
    #expect(lost.lines.contains { $0.contains("connection was lost") })
    #expect(conversation.answer("1").isEmpty)
    #expect(conversation.handle(.event(.daemonBack)).prompt == Prompt("Choice: "))
    #expect(conversation.answer("1").delegation?.event == "well")
  }

  @Test("A call that fails because the daemon left does not end the conversation")
  func lostCallDoesNotEndTheConversation() {
    var conversation = after("1")
    _ = conversation.handle(.event(.daemonLost))
    #expect(conversation.handle(.refused(.failed(.noReply("gone")))).isEmpty)
    #expect(conversation.handle(.event(.daemonBack)).prompt != nil)
  }

  @Test("The end of the flow is reported, and determines the exit status")
  func endOfTheFlowIsReportedWithItsStatus() {
    let ends: [(FlowEnd, ToolExit, String)] = [
      (.finished(["visit": "well"]), .success, "  visit: well"), (.cancelled, .cancelled, "The flow was cancelled."),
      (.failed(code: "broken", message: "It broke."), .failed, "The flow has failed (broken): It broke."),
      (.stopped, .noDaemon, "The program that runs the flow was stopped, and the flow has ended with it."),
      (.lost, .error, "The flow is gone; its outcome is no longer known."),
    ]
    for (end, exit, line) in ends {
      var conversation = Conversation.showing(Samples.menu)
      let effects = conversation.handle(.event(.ended(end)))
      #expect(effects.first == .withdrawPrompt)
      #expect(effects.exit == exit)
      #expect(effects.lines.contains(line))
    }
  }

  @Test("A window without a screen prints nothing and asks nothing")
  func windowWithoutAScreenPrintsNothing() {
    var conversation = after("1")
    _ = conversation.handle(.accepted(revision: 2))
    #expect(conversation.handle(.event(.window(Samples.window(2)))).isEmpty)
    #expect(conversation.handle(.event(.ended(.cancelled))).first == .print(["", "The flow was cancelled."]))
  }

  @Test("Progress is shown to an interactive user only")
  func progressIsShownInteractivelyOnly() {
    let progress = WindowEvent.progress(screen: 1, CoordinatorKit.Progress(fraction: 0.5))
    var person = Conversation.showing(Samples.busy)
    #expect(person.handle(.event(progress)) == [.interruptPrompt, .print(["50%"]), .prompt(Prompt("Choice: "))])
    var script = Conversation.showing(Samples.busy, isInteractive: false)
    #expect(script.handle(.event(progress)).isEmpty)
  }

  @Test("Only progress that is worth a line is printed: another text or a tenth more, five seconds after the last")
  func onlySomeProgressIsPrinted() {
    var conversation = Conversation.showing(Samples.busy)
    func told(_ fraction: Double, _ text: String, at seconds: UInt64) -> [String] {
      conversation.now = Timestamp(microseconds: seconds * 1_000_000)
      let progress = CoordinatorKit.Progress(fraction: fraction, text: Text(verbatim: text))
      return conversation.handle(.event(.progress(screen: 1, progress))).lines
    }
    #expect(told(0, "Copying", at: 10) == ["0% Copying"])
    #expect(told(0.5, "Copying", at: 14) == [])
    #expect(told(0.5, "Copying", at: 15) == ["50% Copying"])
    #expect(told(0.55, "Copying", at: 30) == [])
    #expect(told(0.6, "Copying", at: 31) == ["60% Copying"])
    #expect(told(0.6, "Checking", at: 40) == ["60% Checking"])
  }

  @Test("If another user answers first, the answer typed here is reported as not sent")
  func lostAnswersAreTold() {
    var conversation = Conversation.showing(Samples.logIn)
    _ = conversation.answer("jo")
    _ = conversation.handle(.event(.answered(Answer(screen: 1, event: "submit", kind: "web", client: ":1.2"))))
    let lines = conversation.handle(.event(.window(next))).lines
    #expect(lines.prefix(3) == ["", "Answered in the browser.", "Your text was not sent:"])
    var untouched = Conversation.showing(Samples.logIn)
    #expect(!untouched.handle(.event(.window(next))).lines.contains { $0.contains("not sent") })
  }

  @Test("A busy screen asks an interactive user only")
  func busyScreenAsksInteractivelyOnly() {
    let busy = Conversation.Input.event(.window(Samples.window(1, Samples.presented(Samples.busy))))
    var script = Conversation(tree: "x", style: TextStyle(), isInteractive: false)
    #expect(script.handle(busy).prompt == nil)
    #expect(script.handle(.event(.window(Samples.window(2, Samples.presented(Samples.note))))).prompt != nil)
    var person = Conversation(tree: "x", style: TextStyle(), isInteractive: true)
    #expect(person.handle(busy).prompt != nil)
  }
}
