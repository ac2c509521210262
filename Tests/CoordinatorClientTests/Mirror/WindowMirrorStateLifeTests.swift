import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Testing

@Suite("The state of a window mirror: progress, restarts and the end", .timeLimit(.minutes(5)))
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

  @Test("Progress is reported at once and kept")
  func progressIsReportedAtOnceAndKept() throws {
    var (mirror, truth) = try following()
    let signal = truth.progress(2, 0.25)
    #expect(mirror.receive(signal) == .progress(screen: 2, CoordinatorKit.Progress(fraction: 0.25)))
    #expect(mirror.window == truth.window)
    #expect(mirror.receive(truth.transition { $0.update(1, title: "t", accent: nil) }) == [.paint(truth.window)])
    #expect(mirror.window?.top?.screen.progress?.fraction == 0.25)
  }

  @Test("Buffered progress that is older than the snapshot is dropped, and newer progress is kept")
  func onlyProgressNewerThanTheSnapshotIsKept() throws {
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

  // MARK: The daemon leaves and returns

  @Test("The mirror ignores everything while the daemon is away")
  func signalsAreIgnoredWhileTheDaemonIsAway() throws {
    var (mirror, truth) = try following()
    mirror.daemonGone()
    #expect(mirror.receive(try truth.transition { try $0.present("third") }).isEmpty)
    #expect(mirror.missedSignals() == .none)
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }

  @Test("The mirror follows a daemon that comes back with a lower revision")
  func restartWithALowerRevisionIsFollowed() throws {
    var (mirror, _) = try following()
    mirror.daemonGone()
    #expect(mirror.daemonBack() == .readAgain)
    var restarted = ScriptedWindow()
    _ = try restarted.transition { try $0.present("from the start") }
    #expect(try mirror.adopt(restarted.snapshot) == .paint(restarted.window))
    #expect(mirror.receive(try restarted.transition { try $0.present("next") }) == [.paint(restarted.window)])
  }

  @Test("Signals of the old daemon are not mixed into the window of the new one")
  func signalsOfTheOldDaemonAreDropped() throws {
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

  @Test("The mirror paints nothing when the daemon comes back with the same window")
  func unchangedWindowIsNotPaintedAgain() throws {
    var (mirror, truth) = try following()
    mirror.daemonGone()
    _ = mirror.daemonBack()
    #expect(try mirror.adopt(truth.snapshot) == .none)
  }

  // MARK: The end

  @Test("The end of a flow is reported once, and nothing after it")
  func endIsReportedOnce() throws {
    var (mirror, truth) = try following()
    #expect(mirror.flowEnded(outcome: "finished") == .ended(outcome: "finished"))
    #expect(mirror.flowEnded(outcome: "finished") == .none)
    #expect(mirror.receive(try truth.transition { try $0.present("third") }).isEmpty)
    #expect(mirror.daemonBack() == .none)
    #expect(mirror.missedSignals() == .none)
    mirror.daemonGone()
    #expect(mirror.daemonBack() == .none)
  }

  @Test("A held tree is painted with its reason, and again at the same revision once it is restored")
  func heldTreeIsPaintedWithItsReason() throws {
    var mirror = WindowMirrorState()
    let held = MirroredWindow(revision: 3, screens: [], held: "so")
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [], held: "so")) == .paint(held))
    #expect(mirror.heldChanged() == .readAgain)
    #expect(mirror.heldChanged() == .none)
    // It changed again while the window was being read.
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [], held: "so")) == .readAgain)
    #expect(try mirror.adopt(WindowSnapshot(revision: 3, screens: [])) == .paint(MirroredWindow(revision: 3, screens: [])))
  }

  @Test("A flow may end before the snapshot arrives")
  func flowMayEndBeforeTheSnapshot() throws {
    var mirror = WindowMirrorState()
    #expect(mirror.flowEnded(outcome: "failed") == .ended(outcome: "failed"))
    #expect(try mirror.adopt(WindowSnapshot(revision: 1, screens: [])) == .none)
  }
}
