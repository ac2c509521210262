import CNCurses
import Glibc
import Synchronization

/// Gives the terminal back when the process ends in a way that leaves no time for it: a trap, `exit`, or a second signal while the
/// first is being dealt with.
///
/// ncurses may not be called then, so that what it would write is kept ready. Everything here may be called in a signal handler.
enum TerminalRescue {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"

  /// Whether the terminal is not as it was found.
  private static let isArmed = Atomic(false)
  /// The descriptor that signals are written to, a byte each; -1 while nobody reads them.
  private static let signals = Atomic<Int32>(-1)
  /// Whether a signal that ends the process has been written there.
  private static let isEnding = Atomic(false)

  /// The terminal as it was found. Safe, as the next two: written before `isArmed` becomes true, and only read after that.
  private nonisolated(unsafe) static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private nonisolated(unsafe) static var farewell: UnsafeMutableBufferPointer<UInt8>?
  /// What handled crashes before. Written once, before any handler is installed.
  private nonisolated(unsafe) static let formerHandlers = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  private static let crashes = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
  /// Those that end a process, Ctrl-C first.
  static let ends = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Those that stop a process and let it go on, and the one that tells of another size.
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Remembers the terminal as it is.
  static func remember() { tcgetattr(STDIN_FILENO, original) }

  /// From now on the terminal is given back, whatever happens.
  static func arm() {
    if farewell == nil {
      let names = ["rmkx", "sgr0", "op", "cnorm", "rmcup"]
      let known = names.compactMap { name -> String? in
        // A missing capability is a null pointer, a misnamed one is -1.
        guard let text = tigetstr(name), UInt(bitPattern: text) != .max else { return nil }
        return String(cString: text)
      }
      let bytes = Array((["\u{1B}[?1000l\u{1B}[?1006l", pasteOff] + known).joined().utf8)
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = buffer.initialize(from: bytes)
      farewell = buffer
      atexit { TerminalRescue.restore() }
      for signal in crashes { sigaction(signal, nil, formerHandlers + Int(signal)) }
      for signal in crashes { handle(signal, whenHandled: crash) }
    }
    isArmed.store(true, ordering: .sequentiallyConsistent)
  }

  /// The terminal has been given back.
  static func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

  /// Has signals written to a descriptor.
  static func pass(signalsTo descriptor: Int32) {
    signals.store(descriptor, ordering: .sequentiallyConsistent)
    isEnding.store(false, ordering: .sequentiallyConsistent)
    for signal in ends + others { handle(signal, whenHandled: pass) }
  }

  /// Lets signals do again what they do by themselves.
  static func letSignalsBe() {
    for signal in ends + others { Glibc.signal(signal, SIG_DFL) }
    signals.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Writes to the terminal behind the back of ncurses.
  static func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Gives the terminal back, unless that has been done.
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

  /// Gives the terminal back, and lets the signal do what it would have done, once this handler has returned.
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
