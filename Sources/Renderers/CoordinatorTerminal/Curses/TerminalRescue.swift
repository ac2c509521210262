import CNCurses
import Glibc
import LinearTerminal
import Synchronization

/// Restores the terminal if the process ends without an orderly shutdown: by a trap, by `exit`, or by a second signal
/// while the first is being handled.
///
/// ncurses must not be called in that situation, so the sequences that it would write are prepared in advance.
/// ``restore()`` and the signal handlers call only async-signal-safe functions (signal-safety(7)).
enum TerminalRescue {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"

  /// Whether the terminal needs to be restored.
  private static let isArmed = Atomic(false)
  /// The descriptor that signal numbers are written to, one byte each; -1 if there is no reader.
  private static let signals = Atomic<Int32>(-1)
  /// Whether a signal that ends the process has been written there.
  private static let isEnding = Atomic(false)

  /// The original state of the terminal. Safe, like the next variable: written before `isArmed` becomes true, and only
  /// read afterwards.
  private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private nonisolated(unsafe) static var farewell: UnsafeMutableBufferPointer<UInt8>?
  /// The previous handlers of the crash signals. Written once, before any handler is installed.
  private nonisolated(unsafe) static let formerHandlers = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  private static let crashes = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
  /// The signals that end a process, Ctrl-C first.
  static let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// The signals that stop and continue a process, and the one that reports a change of the size.
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Stores the current state of the terminal; if it is locked, the state before that.
  static func remember() {
    tcgetattr(STDIN_FILENO, original)
    TerminalLock.restoreOriginal(in: original)
  }

  /// Ensures from now on that the terminal is restored, however the process ends.
  ///
  /// - Parameter words: additional sequences to write.
  static func arm(saying words: String) {
    if farewell == nil {
      let names = ["rmkx", "sgr0", "op", "cnorm", "rmcup"]
      let known = names.compactMap { name -> String? in
        // `tigetstr` returns null for a missing capability and -1 for an invalid name (terminfo(3)).
        guard let text = tigetstr(name), UInt(bitPattern: text) != .max else { return nil }
        return String(cString: text)
      }
      let bytes = Array(([words, "\u{1B}[?1000l\u{1B}[?1006l", pasteOff] + known).joined().utf8)
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      farewell = buffer
      atexit { TerminalRescue.restore() }
      for signal in crashes { sigaction(signal, nil, formerHandlers + Int(signal)) }
      for signal in crashes { handle(signal, whenHandled: crash) }
    }
    isArmed.store(true, ordering: .sequentiallyConsistent)
  }

  /// Marks the terminal as restored.
  static func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

  /// Forwards signals to a descriptor.
  static func pass(signalsTo descriptor: Int32) {
    signals.store(descriptor, ordering: .sequentiallyConsistent)
    isEnding.store(false, ordering: .sequentiallyConsistent)
    for signal in ends + others { handle(signal, whenHandled: pass) }
  }

  /// Restores the default actions of the signals.
  static func letSignalsBe() {
    for signal in ends + others { Glibc.signal(signal, SIG_DFL) }
    signals.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Writes to the terminal directly, bypassing ncurses.
  static func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Restores the terminal. Does nothing if it has already been restored.
  static func restore() {
    guard isArmed.exchange(false, ordering: .sequentiallyConsistent) else { return }
    if let farewell { _ = Glibc.write(STDOUT_FILENO, farewell.baseAddress, farewell.count) }
    tcsetattr(STDIN_FILENO, TCSANOW, original)
  }

  private static let pass: @convention(c) (Int32) -> Void = { number in
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    if number == SIGTERM || number == SIGHUP || number == SIGQUIT, isEnding.exchange(true, ordering: .sequentiallyConsistent) {
      restore()
      Glibc.signal(number, SIG_DFL)
      raise(number)
    } else {
      _ = Glibc.write(signals.load(ordering: .sequentiallyConsistent), &byte, 1)
    }
    errno = saved
  }

  /// Restores the terminal, and lets the signal take its previous action once this handler has returned.
  private static let crash: @convention(c) (Int32) -> Void = { number in
    restore()
    sigaction(number, formerHandlers + Int(number), nil)
    raise(number)
  }

  private static func handle(_ number: Int32, whenHandled handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }
}
