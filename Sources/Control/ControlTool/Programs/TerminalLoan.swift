import Glibc
import Platform

/// This terminal, while a renderer uses it.
struct TerminalLoan: Sendable {
  /// Resets the modes that renderers set: the mouse, bracketed paste, the keypad, colors, the alternate screen, the hidden
  /// cursor.
  private static let farewell = "\u{1B}[?1000l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1l\u{1B}>\u{1B}[0m\u{1B}[?1049l\u{1B}[?25h"

  private let renderer: StartedProcess
  /// The previous settings of the terminal.
  private let before: termios?

  /// Saves the settings of the terminal, and starts a renderer on it.
  ///
  /// - Parameters:
  ///   - path: path of the renderer.
  ///   - arguments: its arguments, without its name.
  /// - Throws: ``StartedProcess/Failure``.
  init(to path: String, _ arguments: [[CChar]]) throws(StartedProcess.Failure) {
    var settings = termios()
    before = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    renderer = try StartedProcess(path, arguments)
  }

  /// Waits until the renderer has ended.
  func end() async { _ = await renderer.status }

  /// Asks the renderer to end.
  func recall() { renderer.terminate() }

  /// Takes the terminal back from a renderer that has not ended, perhaps because it waits for a terminal that accepts no
  /// output. Does nothing if it has ended.
  func takeBack() {
    guard !renderer.isOver else { return }
    renderer.kill()
    // Discards unread output, which would block the following writes.
    tcflush(STDOUT_FILENO, TCOFLUSH)
    let terminal = open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if terminal >= 0 {
      _ = Array(Self.farewell.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      close(terminal)
    }
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}
