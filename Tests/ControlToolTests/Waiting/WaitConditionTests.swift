import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("What 'coordinatorctl wait' waits for", .timeLimit(.minutes(5)))
struct WaitConditionTests {
  private static let question = Screen.message("question", title: "Question")
  private static var busy: Screen {
    var screen = question
    screen.progress = Progress(text: "Looking")
    return screen
  }

  private func window(_ screen: Screen?, revision: UInt64 = 1) -> MirroredWindow {
    MirroredWindow(revision: revision, screens: screen.map { [Samples.presented($0)] } ?? [])
  }

  @Test("Without a condition, a screen that is not busy ends the wait, and no other window does")
  func idleScreenEndsTheWait() {
    let condition = WaitCondition()
    #expect(condition.verdict(on: .window(window(nil))) == nil)
    #expect(condition.verdict(on: .window(window(Self.busy))) == nil)
    #expect(condition.verdict(on: .window(window(Self.question))) == .shown(window(Self.question)))
    #expect(condition.verdict(on: .daemonLost) == nil)
  }

  @Test("A named screen ends the wait also while it is busy, unless it has to be idle")
  func namedScreenEndsTheWait() {
    let named = WaitCondition(screens: ["other", "question"])
    #expect(named.verdict(on: .window(window(Self.busy))) == .shown(window(Self.busy)))
    #expect(WaitCondition(screens: ["other"]).verdict(on: .window(window(Self.question))) == nil)
    #expect(WaitCondition(screens: ["question"], isIdle: true).verdict(on: .window(window(Self.busy))) == nil)
  }

  @Test("A window from before the event does not end a wait for what follows it")
  func earlierWindowsDoNotCount() {
    let condition = WaitCondition(revision: 5)
    #expect(condition.verdict(on: .window(window(Self.question, revision: 4))) == nil)
    #expect(condition.verdict(on: .window(window(Self.question, revision: 5))) != nil)
  }

  @Test("The end of the flow ends every wait, and is a failure if a screen was waited for")
  func endOfTheFlowEndsTheWait() {
    let end = FlowEnd.finished(["visit": "well"])
    #expect(WaitCondition().verdict(on: .ended(end)) == .ended(end))
    #expect(WaitCondition(isEnd: true).verdict(on: .ended(end)) == .ended(end))
    #expect(WaitCondition(isEnd: true).verdict(on: .window(window(Self.question))) == nil)
    #expect(WaitCondition(screens: ["question"]).verdict(on: .ended(.cancelled)) == .missed(.cancelled))
  }

  @Test("A flow that is held ends the wait, because nothing happens any more")
  func heldFlowEndsTheWait() {
    var held = window(nil)
    held.held = "the flow pets no longer exists"
    #expect(WaitCondition(isEnd: true).verdict(on: .window(held)) == .held(held))
  }

  @Test("Messages say what was waited for")
  func clausesSayWhatWasWaitedFor() {
    #expect(WaitCondition().clause == "can be answered")
    #expect(WaitCondition(screens: ["a", "b"]).clause == "shows 'a' or 'b'")
    #expect(WaitCondition(screens: ["a"], isIdle: true).clause == "shows 'a' and can be answered")
    #expect(WaitCondition(isEnd: true).clause == "has ended")
  }
}
