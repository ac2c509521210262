import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@Suite("The state of a window mirror, from the daemon's coming to its going")
struct WindowMirrorStateLifeTests {
  private func following() throws -> (WindowMirrorState, ScriptedWindow) {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    _ = try truth.transition { try $0.present("second") }
    var mirror = WindowMirrorState()
    _ = try mirror.adopt(truth.snapshot)
    return (mirror, truth)
  }

  // MARK: Progress

  @Test("tells progress at once, and keeps it")
  func progress() throws {
    var (mirror, truth) = try following()
    let signal = truth.progress(2, 0.25)
    #expect(mirror.receive(signal) == .progress(screen: 2, CoordinatorKit.Progress(fraction: 0.25)))
    #expect(mirror.window == truth.window)
    #expect(mirror.receive(truth.transition { $0.update(1, title: "t", accent: nil) }) == [.paint(truth.window)])
    #expect(mirror.window?.top?.screen.progress?.fraction == 0.25)
  }

  @Test("forgets progress that is older than the snapshot, and keeps what is newer")
  func bufferedProgress() throws {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("first") }
    var mirror = WindowMirrorState()
    let old = truth.progress(1, 0.9)
    let known = truth.transition { $0.update(1, title: "started over", accent: nil) }
    _ = truth.progress(1, 0.1)
    let snapshot = try truth.snapshot
    let new = truth.progress(1, 0.2)
    #expect(mirror.receive([old] + known + [new]).isEmpty)
    #expect(try mirror.adopt(snapshot) == .paint(truth.window))
    #expect(mirror.window?.top?.screen.progress?.fraction == 0.2)
  }

  // MARK: The daemon goes and comes

  @Test("ignores everything while the daemon is away")
  func away() throws {
    var (mirror, truth) = try following()
    mirror.daemonGone()
    #expect(mirror.receive(try truth.transition { try $0.present("third") }).isEmpty)
    #expect(mirror.missedSignals() == .none)
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }

  @Test("follows a daemon that comes back with a lower revision")
  func lowerRevision() throws {
    var (mirror, _) = try following()
    mirror.daemonGone()
    #expect(mirror.daemonBack() == .readAgain)
    var restarted = ScriptedWindow()
    _ = try restarted.transition { try $0.present("from the start") }
    #expect(try mirror.adopt(restarted.snapshot) == .paint(restarted.window))
    #expect(mirror.receive(try restarted.transition { try $0.present("next") }) == [.paint(restarted.window)])
  }

  @Test("does not mix signals of the old daemon into what the new one shows")
  func noMixture() throws {
    var (mirror, truth) = try following()
    _ = mirror.missedSignals()
    _ = mirror.receive(try truth.transition { try $0.present("of the old daemon") })
    mirror.daemonGone()
    _ = mirror.daemonBack()
    var restarted = ScriptedWindow()
    _ = try restarted.transition { try $0.present("one") }
    _ = try restarted.transition { try $0.present("two") }
    #expect(try mirror.adopt(restarted.snapshot) == .paint(restarted.window))
  }

  @Test("paints nothing when the daemon comes back with the same window")
  func sameWindow() throws {
    var (mirror, truth) = try following()
    mirror.daemonGone()
    _ = mirror.daemonBack()
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }

  // MARK: The end

  @Test("tells the end once, and nothing after it")
  func ended() throws {
    var (mirror, truth) = try following()
    #expect(mirror.flowEnded(outcome: "finished") == .ended(outcome: "finished"))
    #expect(mirror.flowEnded(outcome: "finished") == .none)
    #expect(mirror.receive(try truth.transition { try $0.present("third") }).isEmpty)
    #expect(mirror.daemonBack() == .none)
    #expect(mirror.missedSignals() == .none)
    mirror.daemonGone()
    #expect(mirror.daemonBack() == .none)
  }

  @Test("paints why a tree is held, and what it shows at the same revision once it is taken up")
  func held() throws {
    var mirror = WindowMirrorState()
    let held = MirroredWindow(revision: 3, screens: [], held: "so")
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [], held: "so")) == .paint(held))
    #expect(mirror.heldChanged() == .readAgain)
    #expect(mirror.heldChanged() == .none)
    // It changed once more while that was being read.
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [], held: "so")) == .readAgain)
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [])) == .paint(MirroredWindow(revision: 3, screens: [])))
  }

  @Test("can end before the snapshot is there")
  func endedEarly() throws {
    var mirror = WindowMirrorState()
    #expect(mirror.flowEnded(outcome: "failed") == .ended(outcome: "failed"))
    #expect(try mirror.adopt(WindowSnapshot(revision: 1, screens: [])) == .none)
  }
}
