import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorTerminal
@testable import RendererKit

@Suite("News on the full screen", .timeLimit(.minutes(5)))
struct NewsTests {
  private let next = Display.Input.event(.window(Samples.window(2, Samples.presented(Samples.home, id: 2))))

  @Test(
    "When another client was faster the user learns of it and sees the next screen, whichever news arrives first",
    arguments: [
      ClientError.refused(.staleScreen(1, why: .gone)), .refused(.staleScreen(1, why: .covered)), .failed(.unknownObject("gone")),
    ])
  func lostRaceShowsTheNextScreen(error: ClientError) {
    for inputs in [[next, .refused(error)], [.refused(error), next]] {
      var display = Display.showing(Samples.menu)
      display.press(.enter)
      for input in inputs { _ = display.handle(input) }
      #expect(display.text().contains("Answered elsewhere"))
      #expect(display.text().contains("Happy Tails"))
      #expect(display.press(.enter).delegation?.screen == 2)
    }
  }

  @Test("A screen that the user may only see says who may answer, and Enter and Escape send nothing")
  func closedScreenIsOnlyShown() {
    var window = Samples.window(1, Samples.presented(Samples.menu))
    window.closed = "only ada may answer"
    var display = Display.showing(window)
    let text = display.text().split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(text.contains("You can see this, but not answer it: only ada may answer"), "\(text)")
    #expect(display.press(.enter).delegation == nil)
    #expect(display.press(.escape).isEmpty)
  }

  @Test("A held flow shows a sentence without its reason instead of a screen, then the screen once it is restored")
  func heldFlowShowsItsReason() {
    let reason = "it was stored by version 2 of the flow pets, but this daemon has version 1"
    var display = Display.showing(MirroredWindow(revision: 2, screens: [], held: reason))
    let text = display.text().split { $0 == "\n" || $0 == " " }.joined(separator: " ")
    #expect(text.contains("This step cannot continue at the moment. What was entered so far is kept."))
    #expect(!text.contains("version 2"))
    _ = display.handle(next)
    #expect(display.text().contains("Happy Tails"))
  }

  @Test("News is shown together with the reply to a call, so that no key gets lost")
  func newsWaitForTheReply() {
    var display = Display.showing(Samples.menu)
    display.press(.enter)
    _ = display.handle(next)
    #expect(display.text().contains("What is the visit for?"))
    _ = display.handle(.accepted(revision: 2))
    #expect(display.text().contains("Happy Tails"))
    #expect(display.press(.enter).delegation?.screen == 2)
  }

  @Test("A screen that changed before it was answered waits for the change")
  func changedScreenWaitsForItsUpdate() {
    var display = Display.showing(Samples.menu)
    display.press(.enter)
    _ = display.handle(.refused(.refused(.staleScreen(1, why: .changed))))
    #expect(display.text().contains("changed in the meantime"))
    #expect(display.press(.enter).isEmpty)
    var screen = Samples.menu
    screen.title = "What for?"
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.press(.enter).delegation?.seen == 2)
  }

  @Test("A refusal is shown with its reason, and the screen stays as it was")
  func refusalKeepsTheScreen() {
    var display = Display.showing(Samples.menu)
    display.press(.down, .enter)
    _ = display.handle(.refused(.refused(.denied(message: "The basket is empty."))))
    #expect(display.text().contains("✗ The basket is empty."))
    #expect(display.press(.enter).delegation?.event == "sick")
  }

  @Test("While the daemon is away the screen and what was typed stay")
  func absenceOfTheDaemonKeepsTheScreen() {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    _ = display.handle(.event(.daemonLost))
    #expect(display.text().contains("Waiting for it to come back"))
    display.type("e")
    #expect(display.text().contains("┃ joe"))
    _ = display.handle(.event(.daemonBack))
    #expect(display.text().contains("is back"))
    display.press(.tab)
    display.type("pw")
    #expect(display.press(.enter).delegation?.payload == ["username": "joe", "password": "pw"])
  }

  @Test("A call that was lost with the daemon can be repeated")
  func lostCallCanBeRepeated() {
    var display = Display.showing(Samples.menu)
    display.press(.enter)
    _ = display.handle(.event(.daemonLost))
    _ = display.handle(.refused(.failed(.noReply("gone"))))
    _ = display.handle(.event(.daemonBack))
    #expect(display.press(.enter).delegation != nil)
  }

  @Test("The end of the flow leaves with a line about it and its exit status")
  func endOfTheFlowLeavesWithALine() {
    let ends: [(FlowEnd, ToolExit, String)] = [
      (.finished(["visit": "well"]), .success, "  visit: well"), (.cancelled, .cancelled, "The flow was cancelled."),
      (.stopped, .noDaemon, "The program that runs the flow was stopped, and the flow has ended with it."),
      (.failed(code: "broken", message: "It broke."), .failed, "The flow has failed (broken): It broke."),
      (.lost, .error, "The flow is gone; its outcome is no longer known."),
    ]
    for (end, exit, line) in ends {
      var display = Display.showing(Samples.menu)
      guard case .leave(let status, let lines)? = display.handle(.event(.ended(end))).first else {
        Issue.record("does not leave")
        continue
      }
      #expect(status == exit)
      #expect(lines.last == line)
    }
  }

  @Test("An answer in another renderer is reported")
  func answerOfAnotherRendererIsReported() {
    var display = Display.showing(Samples.menu)
    _ = display.handle(.event(.answered(Answer(screen: 1, event: "sick", kind: "web", client: ":1.7"))))
    _ = display.handle(next)
    #expect(display.text().contains("• Answered in the browser."))
  }

  @Test("When a screen with typed values disappears the user learns that they were not sent")
  func unsentValuesAreReported() {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    _ = display.handle(next)
    #expect(display.text().contains("Your text was not sent: jo"))
  }

  @Test("Progress moves its bar, or its spinner if its end is unknown")
  func progressMovesItsBarOrSpinner() {
    var display = Display.showing(Samples.installing)
    #expect(display.text().contains("45%"))
    _ = display.handle(.event(.progress(screen: 1, CoordinatorKit.Progress(fraction: 0.9, text: "Nearly there"))))
    #expect(display.text().contains("90%"))
    #expect(display.draw(in: Size(columns: 80, rows: 24)).isMoving == false)
    var busy = Display.showing(Samples.busy)
    let before = busy.text()
    #expect(busy.draw(in: Size(columns: 80, rows: 24)).isMoving)
    _ = busy.handle(.beat)
    #expect(busy.text() != before)
  }

  @Test("A notice is shown below the screen until a key is pressed")
  func noticeStaysUntilAKeyIsPressed() {
    var display = Display.showing(Samples.menu)
    _ = display.handle(.notice(DisplayNotice(.info, "Answered in the kitchen.")))
    #expect(display.text().contains("• Answered in the kitchen."))
    display.press(.down)
    #expect(!display.text().contains("kitchen"))
  }
}
