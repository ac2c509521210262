import Glibc

/// Runs a closure as a serial job of an ``EventLoop`` when files in some directories have changed.
///
/// A directory need not exist: its nearest existing ancestor is watched until it does. Changes that follow each other
/// within a short time, as when a package is installed or an editor writes a file, are reported once.
///
/// Source: inotify(7).
public final class DirectoryWatch: Sendable {
  private let descriptor: Int32
  private let core: LoopCore
  private let watch: UInt64
  private let state: WatchedDirectories

  /// Starts watching; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - directories: the absolute paths of the directories.
  ///   - loop: the loop to run the closure on.
  ///   - delay: how long after a change the closure runs; changes in between are reported with it.
  ///   - body: the closure to run.
  public init?(
    _ directories: [String], on loop: EventLoop, delay: Duration = .milliseconds(100), _ body: @escaping @Sendable () -> Void
  ) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    let core = loop.core
    self.core = core
    let state = WatchedDirectories(directories, descriptor: descriptor)
    self.state = state
    state.watch()
    watch = core.addWatch(descriptor: descriptor, events: Int16(POLLIN)) { _ in
      guard state.readEvents(), state.beginDelay() else { return }
      _ = core.schedule(at: Monotonic.after(delay)) {
        state.endDelay()
        body()
      }
    }
  }

  deinit {
    core.removeWatch(watch)
    state.end()
    close(descriptor)
  }
}
