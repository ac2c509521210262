import Glibc
import RendererKit
import Synchronization

/// Takes from the keys of a terminal what its driver does with them, so that no visitor leaves a kiosk by Ctrl-C, Ctrl-Z, Ctrl-\ or
/// Ctrl-D, or halts its output by Ctrl-S. The keys for editing a line remain.
public enum TerminalLock {
  /// Whether the terminal is locked.
  private static let isLocked = Atomic(false)
  /// The state of the terminal before it was locked.
  ///
  /// Safe: written before `isLocked` becomes true for the first time, and only read afterwards.
  private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Locks the terminal of standard input until the process ends, also by a signal. Does nothing if there is no terminal. Call it
  /// again after another part of the program has handled signals.
  public static func lock() {
    if !isLocked.load(ordering: .acquiring) {
      guard tcgetattr(STDIN_FILENO, original) == 0 else { return }
      isLocked.store(true, ordering: .releasing)
      atexit { TerminalLock.unlock() }
    }
    var locked = original.pointee
    locked.c_iflag &= ~tcflag_t(IXON)
    for key in [VINTR, VQUIT, VSUSP, VEOF, VLNEXT] { disable(key, in: &locked) }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &locked)
    for number in [SIGTERM, SIGHUP, SIGINT] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = end
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Restores the terminal if it is locked. Async-signal-safe.
  package static func unlock() {
    if isLocked.load(ordering: .acquiring) { tcsetattr(STDIN_FILENO, TCSANOW, original) }
  }

  /// Replaces a state with that before the lock, for a program that restores the terminal at its end.
  package static func restoreOriginal(in state: UnsafeMutablePointer<termios>) {
    if isLocked.load(ordering: .acquiring) { state.pointee = original.pointee }
  }

  /// Restores the terminal, then lets the signal take its default action. Calls only async-signal-safe functions
  /// (signal-safety(7)).
  private static let end: @convention(c) (Int32) -> Void = { number in
    unlock()
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Disables a key: on Linux, `_POSIX_VDISABLE` is 0.
  private static func disable(_ key: Int32, in state: inout termios) {
    withUnsafeMutableBytes(of: &state.c_cc) { $0[Int(key)] = 0 }
  }
}
