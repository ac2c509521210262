import Glibc
import Platform

/// This terminal, while a renderer has it.
struct TerminalLoan: Sendable {
  /// Turns off what renderers turn on: the mouse, pasting in brackets, the keypad, colours, the other screen, no cursor.
  private static let farewell = "\u{1B}[?1000l\u{1B}[?1006l\u{1B}[?2004l\u{1B}[?1l\u{1B}>\u{1B}[0m\u{1B}[?1049l\u{1B}[?25h"

  private let renderer: StartedProcess
  /// What the terminal was like.
  private let before: termios?

  /// Notes what the terminal is like, and starts a renderer on it.
  ///
  /// - Parameters:
  ///   - path: the path of the renderer.
  ///   - arguments: its arguments, without its name.
  /// - Throws: ``StartedProcess/Failure``.
  init(to path: String, _ arguments: [[CChar]]) throws(StartedProcess.Failure) {
    var settings = termios()
    before = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
    renderer = try StartedProcess(path, arguments)
  }

  /// Waits until the renderer has given the terminal back.
  func end() async { _ = await renderer.status }

  /// Asks the renderer to give the terminal back.
  func recall() { renderer.terminate() }

  /// Takes the terminal back from a renderer that does not give it back: it may wait for a terminal that takes nothing.
  /// Does nothing if it has.
  func takeBack() {
    guard !renderer.isOver else { return }
    renderer.kill()
    // Otherwise, what nobody reads would be in the way of the rest.
    tcflush(STDOUT_FILENO, TCOFLUSH)
    let terminal = open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if terminal >= 0 {
      _ = Array(Self.farewell.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      close(terminal)
    }
    if var before { tcsetattr(STDIN_FILENO, TCSANOW, &before) }
  }
}
