import Glibc
import Synchronization

/// Turns the terminal's echo off while a secret is typed, and on again however the prompt ends: by an answer, by
/// leaving, or by a signal.
public enum TerminalEcho {
  /// Whether the echo is off.
  private static let isOff = Atomic(false)
  /// Whether the signal handlers are installed.
  private static let isInstalled = Atomic(false)
  /// The original state of the terminal.
  ///
  /// Safe: written before `isOff` becomes true for the first time, and only read afterwards.
  private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// The original state without echo. Safe for the same reason.
  private nonisolated(unsafe) static let silent = UnsafeMutablePointer<termios>.allocate(capacity: 1)

  /// Turns the echo off, except for the line break (`ECHONL`). Does nothing if standard input is not a terminal.
  public static func turnOff() {
    guard prepare() else { return }
    isOff.store(true, ordering: .sequentiallyConsistent)
    tcsetattr(STDIN_FILENO, TCSADRAIN, silent)
  }

  /// Turns the echo on again. Does nothing if it is on.
  public static func turnOn() {
    guard isOff.exchange(false, ordering: .sequentiallyConsistent) else { return }
    tcsetattr(STDIN_FILENO, TCSADRAIN, original)
  }

  private static func prepare() -> Bool {
    guard !isInstalled.load(ordering: .acquiring) else { return true }
    guard tcgetattr(STDIN_FILENO, original) == 0 else { return false }
    silent.initialize(to: original.pointee)
    silent.pointee.c_lflag &= ~tcflag_t(ECHO)
    silent.pointee.c_lflag |= tcflag_t(ECHONL)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { handle(signal, whenHandled: die) }
    handle(SIGCONT, whenHandled: resume)
    isInstalled.store(true, ordering: .releasing)
    return true
  }

  /// Restores the terminal, then lets the signal take its default action. Calls only async-signal-safe functions
  /// (signal-safety(7)).
  private static let die: @convention(c) (Int32) -> Void = { number in
    if isOff.load(ordering: .sequentiallyConsistent) { tcsetattr(STDIN_FILENO, TCSANOW, original) }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Turns the echo off again after Ctrl-Z and `fg`.
  private static let resume: @convention(c) (Int32) -> Void = { _ in
    handle(SIGTSTP, whenHandled: die)
    if isOff.load(ordering: .sequentiallyConsistent) { tcsetattr(STDIN_FILENO, TCSANOW, silent) }
  }

  private static func handle(_ number: Int32, whenHandled handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}
