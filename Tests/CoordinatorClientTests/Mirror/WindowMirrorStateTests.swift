import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@Suite("The state of a window mirror", .timeLimit(.minutes(5)))
struct WindowMirrorStateTests {
  /// Returns a mirror that follows a window with one screen.
  private func following() throws -> (WindowMirrorState, ScriptedWindow) {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    var mirror = WindowMirrorState()
    _ = try mirror.adopt(truth.snapshot)
    return (mirror, truth)
  }

  @Test("The initial snapshot is painted")
  func initialSnapshotIsPainted() throws {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    var mirror = WindowMirrorState()
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
    #expect(mirror.window == truth.window)
    #expect(mirror.window?.top?.screen.title == "first")
  }

  @Test("A window is painted at Settled and not before")
  func windowIsPaintedAtSettledOnly() throws {
    var (mirror, truth) = try following()
    let before = truth.window
    let signals = try truth.transition {
      $0.dismiss(1)
      try $0.present("second")
      try $0.present("third")
    }
    for signal in signals.dropLast() {
      #expect(mirror.receive(signal) == .none)
      #expect(mirror.window == before)
    }
    #expect(mirror.receive(signals[3]) == .paint(truth.window))
  }

  @Test("Changed and removed keys of a screen are applied")
  func changedAndRemovedKeysAreApplied() throws {
    var (mirror, truth) = try following()
    #expect(mirror.receive(truth.transition { $0.update(1, title: "new", accent: "#112233") }) == [.paint(truth.window)])
    #expect(mirror.receive(truth.transition { $0.update(1, title: "newer", accent: nil) }) == [.paint(truth.window)])
    #expect(mirror.window?.top?.screen.accent == nil)
  }

  @Test("A screen is placed below the layers above its own")
  func screenIsPlacedBelowHigherLayers() throws {
    var (mirror, truth) = try following()
    #expect(mirror.receive(try truth.transition { try $0.present("modal", layer: 1) }) == [.paint(truth.window)])
    #expect(mirror.receive(try truth.transition { try $0.present("below", layer: 0) }) == [.paint(truth.window)])
    #expect(mirror.window?.screens.map(\.screen.title) == ["first", "below", "modal"])
  }

  @Test("A window has no top after its last screen is gone")
  func emptyWindowHasNoTopScreen() throws {
    var (mirror, truth) = try following()
    #expect(mirror.receive(truth.transition { $0.dismiss(1) }) == [.paint(truth.window)])
    #expect(mirror.window?.top == nil)
  }

  // MARK: Late attach

  @Test("Signals before the snapshot are buffered, and the newer ones are applied")
  func signalsBeforeTheSnapshotAreBuffered() throws {
    var truth = ScriptedWindow()
    var mirror = WindowMirrorState()
    let first = try truth.transition { try $0.present("first") }
    let second = try truth.transition { try $0.present("second") }
    let snapshot = try truth.snapshot
    let third = truth.transition { $0.update(1, title: "changed", accent: nil) }
    let fourth = truth.transition { $0.dismiss(2) }
    #expect(mirror.receive(first + second + third + fourth).isEmpty)
    #expect(try mirror.adopt(snapshot) == .paint(truth.window))
  }

  @Test("A transition whose first half came before the snapshot continues after it")
  func transitionSplitByTheSnapshotContinues() throws {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    let snapshot = try truth.snapshot
    let snapshotWindow = truth.window
    var mirror = WindowMirrorState()
    let signals = try truth.transition {
      try $0.present("second")
      $0.update(1, title: "covered", accent: nil)
    }
    #expect(mirror.receive(Array(signals.prefix(1))).isEmpty)
    #expect(try mirror.adopt(snapshot) == .paint(snapshotWindow))
    #expect(mirror.receive(Array(signals.dropFirst())) == [.paint(truth.window)])
  }

  @Test("The mirror reads again when the buffered signals do not continue the snapshot")
  func gapAfterTheSnapshotRereads() throws {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    let snapshot = try truth.snapshot
    _ = try truth.transition { try $0.present("lost") }
    var mirror = WindowMirrorState()
    _ = mirror.receive(try truth.transition { try $0.present("third") })
    let later = truth.transition { $0.update(1, title: "later", accent: nil) }
    _ = mirror.receive(later)
    #expect(try mirror.adopt(snapshot) == .readAgain)
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  @Test("The mirror reads again when more signals precede the snapshot than it can buffer")
  func overflowBeforeTheSnapshotRereads() throws {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    let snapshot = try truth.snapshot
    var mirror = WindowMirrorState()
    for step in 0..<5000 { _ = mirror.receive(truth.transition { $0.update(1, title: "\(step)", accent: nil) }) }
    #expect(try mirror.adopt(snapshot) == .readAgain)
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  // MARK: Lost signals

  @Test("The mirror reads again when a revision was skipped")
  func skippedRevisionRereads() throws {
    var (mirror, truth) = try following()
    _ = try truth.transition { try $0.present("lost") }
    let next = try truth.transition { try $0.present("seen") }
    #expect(mirror.receive(next) == [.readAgain])
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  @Test("The mirror reads again when the top screen or the end of a transition is lost", arguments: [1, 3])
  func lostTopScreenOrSettledRereads(index: Int) throws {
    var (mirror, truth) = try following()
    _ = mirror.receive(try truth.transition { try $0.present("second") })
    var signals = try truth.transition {
      $0.dismiss(2)
      try $0.present("third")
      $0.update(1, title: "below", accent: nil)
    }
    signals.remove(at: index)
    signals += try truth.transition { try $0.present("next") }
    #expect(mirror.receive(signals).contains(.readAgain))
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  @Test("The mirror reads again when Settled comes without a change")
  func settledWithoutAChangeRereads() throws {
    var (mirror, truth) = try following()
    let signals = truth.transition { $0.update(1, title: "new", accent: nil) }
    #expect(mirror.receive(Array(signals.dropFirst())) == [.readAgain])
  }

  @Test("The mirror reads again when an unknown screen changes")
  func changeOfAnUnknownScreenRereads() throws {
    let unknown: [RouterSignal] = [
      .updated(revision: 2, screen: 9, changed: [:], removed: []),
      .dismissed(revision: 2, screen: 9, reason: "back", animated: false),
      .progress(screen: 9, progress: CoordinatorKit.Progress(fraction: 0.5)),
    ]
    for signal in unknown {
      var (mirror, _) = try following()
      #expect(mirror.receive(signal) == .readAgain)
    }
  }

  @Test("The mirror reads again when a change is invalid")
  func invalidChangeMakesTheMirrorReread() throws {
    let (mirror, truth) = try following()
    let broken: [RouterSignal] = [
      .presented(revision: 2, screen: try truth.screens[0].vardict(), animated: false),
      .presented(revision: 2, screen: [:], animated: false),
      .updated(revision: 2, screen: 1, changed: ["id": .uint64(5)], removed: []),
      .updated(revision: 2, screen: 1, changed: [:], removed: ["title"]),
    ]
    for signal in broken {
      var copy = mirror
      #expect(copy.receive(signal) == .readAgain)
    }
  }

  @Test("The mirror reads again once after a notification of lost signals")
  func reportedLossRereadsOnce() throws {
    var (mirror, truth) = try following()
    #expect(mirror.missedSignals() == .readAgain)
    #expect(mirror.receive(try truth.transition { try $0.present("second") }).isEmpty)
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  @Test("The mirror reads again if signals were lost while it was reading")
  func lossDuringReadingRereads() throws {
    var (mirror, truth) = try following()
    #expect(mirror.missedSignals() == .readAgain)
    #expect(mirror.missedSignals() == .none)
    let snapshot = try truth.snapshot
    _ = try truth.transition { try $0.present("second") }
    #expect(try mirror.adopt(snapshot) == .readAgain)
    #expect(try mirror.adopt(truth.snapshot) == .paint(truth.window))
  }

  @Test("Reading the same window again paints nothing")
  func unchangedRereadingPaintsNothing() throws {
    var (mirror, truth) = try following()
    _ = mirror.missedSignals()
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }

  @Test("Signals of known revisions are ignored")
  func knownRevisionsAreIgnored() throws {
    var (mirror, truth) = try following()
    let signals = try truth.transition { try $0.present("second") }
    _ = mirror.receive(signals)
    #expect(mirror.receive(signals).isEmpty)
    #expect(mirror.window == truth.window)
  }

  @Test("A snapshot that was not requested is ignored")
  func unrequestedSnapshotIsIgnored() throws {
    var (mirror, truth) = try following()
    let old = try truth.snapshot
    _ = mirror.receive(try truth.transition { try $0.present("second") })
    #expect(try mirror.adopt(old) == .none)
    #expect(mirror.window == truth.window)
  }

  @Test("A malformed snapshot is refused, and the mirror can read again")
  func malformedSnapshotIsRefused() throws {
    var (mirror, truth) = try following()
    _ = mirror.missedSignals()
    #expect(throws: MalformedScreen.self) { try mirror.adopt(WindowSnapshot(revision: 5, screens: [[:]])) }
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }
}
