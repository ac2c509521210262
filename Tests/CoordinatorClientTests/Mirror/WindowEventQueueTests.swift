import CoordinatorBus
import CoordinatorKit
import Languages
import Testing

@testable import CoordinatorClient

@Suite("The queue of window events", .timeLimit(.minutes(5)))
struct WindowEventQueueTests {
  private func queued(_ events: [WindowEvent]) -> [WindowEvent] {
    var queue = WindowEventQueue()
    for event in events { queue.append(event) }
    var result: [WindowEvent] = []
    while let event = queue.popFirst() { result.append(event) }
    return result
  }

  private func window(_ revision: UInt64) -> WindowEvent { .window(MirroredWindow(revision: revision, screens: [])) }
  private func progress(_ screen: UInt64, _ fraction: Double) -> WindowEvent {
    .progress(screen: screen, CoordinatorKit.Progress(fraction: fraction))
  }

  @Test("Queued events keep their order")
  func eventsKeepTheirOrder() {
    let events: [WindowEvent] = [window(1), progress(1, 0.5), .daemonLost, .ended(.lost)]
    #expect(queued([window(1), .daemonLost, .ended(.lost)]) == [window(1), .daemonLost, .ended(.lost)])
    #expect(queued(events).last == .ended(.lost))
  }

  @Test("The queue keeps only the newest window, which includes all progress before it")
  func onlyTheNewestWindowIsKept() {
    #expect(queued([window(1), progress(1, 0.1), window(2), window(3), progress(1, 0.2)]) == [window(3), progress(1, 0.2)])
  }

  @Test("The queue keeps only the newest progress of each screen")
  func onlyTheNewestProgressIsKept() {
    #expect(queued([progress(1, 0.1), progress(2, 0.1), progress(1, 0.9)]) == [progress(2, 0.1), progress(1, 0.9)])
  }

  @Test("The queue keeps only the newest draft of each screen until a window arrives, and only the newest answer")
  func onlyTheNewestDraftAndAnswerAreKept() {
    let (first, second) = (WindowEvent.drafted(screen: 1, ["a": 1]), WindowEvent.drafted(screen: 1, [:]))
    #expect(queued([first, second]) == [second])
    #expect(queued([first, window(2)]) == [window(2)])
    let answers = ["web", "terminal"].map { WindowEvent.answered(Answer(screen: 1, event: "", kind: $0, client: ":1.1")) }
    #expect(queued([answers[0], window(2), answers[1], window(3)]) == [answers[1], window(3)])
  }

  @Test("The queue keeps only the newest language, until a window arrives")
  func onlyTheNewestLanguageIsKept() throws {
    let languages = try ["de", "fr"].map { WindowEvent.language(try LanguageTag($0)) }
    #expect(queued([window(1)] + languages) == [window(1), languages[1]])
    #expect(queued(languages + [window(2)]) == [window(2)])
  }

  @Test("The queue drops an absence of the daemon that is over")
  func pastAbsenceIsNotMentioned() {
    #expect(queued([window(1), .daemonLost, .daemonBack, window(2)]) == [window(2)])
    #expect(queued([.daemonBack]) == [.daemonBack])
  }

  @Test("The queue stays bounded, however slow the renderer is")
  func queueStaysBounded() {
    var events: [WindowEvent] = []
    for step in 1...1000 { events += [window(UInt64(step)), progress(1, 0.5), .daemonLost, .daemonBack] }
    #expect(queued(events).count <= 3)
  }
}
