import Foundation
import TestBus

/// Programs in several terminals, on a private tmux server that ends with the test.
///
/// tmux in control mode reports the output of each terminal as it arrives, so no polling is necessary.
final class Terminals: Sendable {
  let tmux: Program

  /// Starts a program in each terminal.
  ///
  /// - Parameters:
  ///   - commands: the programs with their arguments.
  ///   - environment: the variables that differ from this process's environment.
  /// - Returns: the terminals, numbered from 0.
  /// - Throws: `Program.StartFailed` if there is no tmux, `ProgramReport` if tmux ends at once.
  static func start(_ commands: [[String]], environment: [String: String]) async throws -> Terminals {
    let name = "coordinatord-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let tmux = try Program(
      ["tmux", "-L", name, "-f", "/dev/null", "-u", "-C", "new-session", "-x", "100", "-y", "200", "cat"],
      environment: environment.merging(["TMUX": "", "TERM": "xterm"]) { $1 })
    let terminals = Terminals(tmux)
    // tmux sometimes loses commands that it receives before it has a session.
    try await tmux.prints("%session-changed")
    // Terminal 0 only waits: a program that ends at once would end the server. The server ends with this client.
    tmux.write("set-option -g destroy-unattached on\n")
    for command in commands {
      // Waits after the program has ended, even by Ctrl-C: tmux does not always report the last output of a closing
      // terminal.
      let line = ["sh", "-c", "trap : INT; \"$@\"; exec cat", "sh"] + command
      tmux.write("new-window " + line.map { "'\($0)'" }.joined(separator: " ") + "\n")
    }
    return terminals
  }

  private init(_ tmux: Program) { self.tmux = tmux }

  /// Types a line in a terminal.
  func type(_ line: String, in pane: Int) { tmux.write("send-keys -t %\(pane + 1) '\(line)' Enter\n") }

  /// Waits until a string has appeared in a terminal.
  ///
  /// - Parameters:
  ///   - pane: the terminal.
  ///   - text: the string to wait for.
  ///   - count: how often the string must have appeared.
  /// - Throws: `ProgramReport` if tmux ends before.
  func pane(_ pane: Int, shows text: String, times count: Int = 1) async throws {
    try await tmux.prints { Self.text(of: pane, in: $0).ranges(of: text).count >= count }
  }

  /// Returns the output to a terminal so far. Control characters and backslashes are written as a backslash and three octal
  /// digits.
  func written(in pane: Int) -> String { Self.text(of: pane, in: tmux.output) }

  /// Returns the output to a terminal: the lines `%output %PANE TEXT`.
  private static func text(of pane: Int, in output: String) -> String {
    let prefix = "%output %\(pane + 1) "
    return output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }.joined()
  }
}
