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
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(signal) { handle(signal, whenHandled: die) }
    if !isIgnored(SIGTSTP) { handle(SIGTSTP, whenHandled: stop) }
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

  /// Restores the terminal while the process is stopped, and turns the echo off again when it goes on. That is at once if
  /// nobody could continue it: the system then ignores the signal. Calls only async-signal-safe functions.
  private static let stop: @convention(c) (Int32) -> Void = { number in
    let isSilent = isOff.load(ordering: .sequentiallyConsistent)
    var stops = sigset_t()
    sigemptyset(&stops)
    sigaddset(&stops, number)
    sigaddset(&stops, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stops, nil)
    // Another process of the job may have stopped before: then the shell has the terminal, and has put it in order.
    if isSilent, tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, original) }
    signal(number, SIG_DFL)
    raise(number)
    // Stops the process here.
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
    handle(number, whenHandled: stop)
    if isSilent { tcsetattr(STDIN_FILENO, TCSANOW, silent) }
  }

  /// Whether whoever has started this process lets it ignore a signal, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    return sigaction(number, nil, &action) == 0 && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func handle(_ number: Int32, whenHandled handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}
