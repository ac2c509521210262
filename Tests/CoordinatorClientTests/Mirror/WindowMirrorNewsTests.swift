import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@Suite("The state of a window mirror: drafts and answers")
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

  @Test("tells what was typed elsewhere, and keeps it in the window")
  func elsewhere() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(drafted(["name": .string("Ad")])) == .drafted(screen: 1, ["name": "Ad"]))
    #expect(mirror.window?.top?.draft == ["name": "Ad"])
    #expect(mirror.receive(drafted([:])) == .drafted(screen: 1, [:]))
    #expect(mirror.window?.top?.draft == [:])
  }

  @Test("does not tell what its own client typed, but keeps it in the window")
  func own() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(drafted(["name": .string("Ad")], by: ":1.1")) == .none)
    #expect(mirror.window?.top?.draft == ["name": "Ad"])
  }

  @Test("a draft outlives transitions that do not touch its screen")
  func outlives() throws {
    var (mirror, truth) = try following()
    _ = mirror.receive(drafted(["name": .string("Ad")]))
    _ = mirror.receive(try truth.transition { try $0.present("second") })
    #expect(mirror.window?.screens.first?.draft == ["name": "Ad"])
  }

  @Test("a draft of a screen that it does not know makes it read again")
  func unknown() throws {
    var (mirror, _) = try following()
    #expect(mirror.receive(.drafted(screen: 7, draft: [:], client: ":1.2")) == .readAgain)
  }

  @Test("tells who else has answered, together with the window that this led to")
  func answered() throws {
    var (mirror, truth) = try following()
    let answer = Answer(screen: 1, event: "next", kind: "web", client: ":1.2")
    let signals = try truth.transition { try $0.present("second") }
    #expect(mirror.receive(.answered(revision: 2, answer)) == .none)
    #expect(mirror.receive(signals) == [.paintAnswered(answer, truth.window)])
    let later = try truth.transition { try $0.present("third") }
    #expect(mirror.receive(later) == [.paint(truth.window)])
  }

  @Test("does not tell its own answers")
  func ownAnswer() throws {
    var (mirror, truth) = try following()
    _ = mirror.receive(.answered(revision: 2, Answer(screen: 1, event: "", kind: "", client: ":1.1")))
    #expect(mirror.receive(try truth.transition { try $0.present("second") }) == [.paint(truth.window)])
  }
}
