import Foundation
import TestBus

/// Programs in terminals of their own, next to each other, on a tmux server that nobody else knows and that ends with the test.
///
/// tmux in control mode tells what each terminal is sent as it comes, so nothing has to be asked for again and again.
final class Terminals: Sendable {
  let tmux: Program

  /// Starts a program in each terminal.
  ///
  /// - Parameters:
  ///   - commands: The programs with their arguments.
  ///   - environment: What differs from this process's environment.
  /// - Returns: The terminals, numbered from 0.
  /// - Throws: `Program.StartFailed` if there is no tmux, `ProgramReport` if it ends at once.
  static func start(_ commands: [[String]], environment: [String: String]) async throws -> Terminals {
    let name = "coordinatord-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let tmux = try Program(
      ["tmux", "-L", name, "-f", "/dev/null", "-u", "-C", "new-session", "-x", "100", "-y", "200", "cat"],
      environment: environment.merging(["TMUX": "", "TERM": "xterm"]) { $1 })
    let terminals = Terminals(tmux)
    // What it is told before it has its session is lost now and then.
    try await tmux.prints("%session-changed")
    // Terminal 0 only waits: a program that ends at once would end the server. Nothing outlives this client.
    tmux.write("set-option -g destroy-unattached on\n")
    for command in commands {
      // Waits when the program has ended, by Ctrl-C too: of a terminal that closes tmux does not always tell the last output.
      let line = ["sh", "-c", "trap : INT; \"$@\"; exec cat", "sh"] + command
      tmux.write("new-window " + line.map { "'\($0)'" }.joined(separator: " ") + "\n")
    }
    return terminals
  }

  private init(_ tmux: Program) { self.tmux = tmux }

  /// Types a line in a terminal.
  func type(_ line: String, in pane: Int) { tmux.write("send-keys -t %\(pane + 1) '\(line)' Enter\n") }

  /// Waits until a text has come up in a terminal.
  ///
  /// - Parameters:
  ///   - pane: The terminal.
  ///   - text: What to wait for.
  ///   - count: How often it has to have come up.
  /// - Throws: `ProgramReport` if tmux ends before.
  func pane(_ pane: Int, shows text: String, times count: Int = 1) async throws {
    try await tmux.prints { Self.text(of: pane, in: $0).ranges(of: text).count >= count }
  }

  /// What a terminal was sent: the lines `%output %PANE TEXT`.
  private static func text(of pane: Int, in output: String) -> String {
    let prefix = "%output %\(pane + 1) "
    return output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }.joined()
  }
}
