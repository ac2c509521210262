import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@Suite("The state of a window mirror: drafts and answers", .timeLimit(.minutes(5)))
struct WindowMirrorNewsTests {
  private func following() throws -> (WindowMirrorState, ScriptedWindow) {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    var mirror = WindowMirrorState(client: ":1.1")
    _ = try mirror.adopt(truth.snapshot)
    return (mirror, truth)
  }

  private func drafted(_ draft: [String: Value], by client: String = ":1.2") -> RouterSignal {
    .drafted(screen: 1, draft: draft, client: client)
  }

  @Test("A draft of another client is reported and kept in the window")
  func draftOfAnotherClientIsReported() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(drafted(["name": .string("Ad")])) == .drafted(screen: 1, ["name": "Ad"]))
    #expect(mirror.window?.top?.draft == ["name": "Ad"])
    #expect(mirror.receive(drafted([:])) == .drafted(screen: 1, [:]))
    #expect(mirror.window?.top?.draft == [:])
  }

  @Test("A draft of the mirror's own client is kept in the window without being reported")
  func ownDraftIsKeptSilently() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(drafted(["name": .string("Ad")], by: ":1.1")) == .none)
    #expect(mirror.window?.top?.draft == ["name": "Ad"])
  }

  @Test("A draft survives transitions that do not touch its screen")
  func draftSurvivesUnrelatedTransitions() throws {
    var (mirror, truth) = try following()
    _ = mirror.receive(drafted(["name": .string("Ad")]))
    _ = mirror.receive(try truth.transition { try $0.present("second") })
    #expect(mirror.window?.screens.first?.draft == ["name": "Ad"])
  }

  @Test("A draft of an unknown screen makes the mirror read again")
  func draftOfAnUnknownScreenRereads() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(.drafted(screen: 7, draft: [:], client: ":1.2")) == .readAgain)
  }

  @Test("An answer of another client is reported together with the window that it led to")
  func answerOfAnotherClientComesWithItsWindow() throws {
    var (mirror, truth) = try following()
    let answer = Answer(screen: 1, event: "next", kind: "web", client: ":1.2")
    let signals = try truth.transition { try $0.present("second") }
    #expect(mirror.receive(.answered(revision: 2, answer)) == .none)
    #expect(mirror.receive(signals) == [.paintAnswered(answer, truth.window)])
    let later = try truth.transition { try $0.present("third") }
    #expect(mirror.receive(later) == [.paint(truth.window)])
  }

  @Test("An answer of the mirror's own client is not reported")
  func ownAnswerIsNotReported() throws {
    var (mirror, truth) = try following()
    _ = mirror.receive(.answered(revision: 2, Answer(screen: 1, event: "", kind: "", client: ":1.1")))
    #expect(mirror.receive(try truth.transition { try $0.present("second") }) == [.paint(truth.window)])
  }
}
