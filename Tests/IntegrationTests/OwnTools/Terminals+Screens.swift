import Foundation
import Testing

/// The screens of full-screen programs, and keys for them.
extension Terminals {
  /// Presses keys, named as tmux names them: `Enter`, `C-c`, `a`.
  func press(_ keys: String..., in pane: Int = 0) {
    tmux.write("send-keys -t %\(pane + 1) \(keys.map { "'\($0)'" }.joined(separator: " "))\n")
  }

  /// Resizes a terminal.
  func resize(_ pane: Int = 0, columns: Int, rows: Int) {
    tmux.write("resize-window -t %\(pane + 1) -x \(columns) -y \(rows)\n")
  }

  /// Waits until a terminal's screen fulfills a condition.
  ///
  /// - Parameters:
  ///   - pane: the terminal.
  ///   - condition: a check of all rows, called after each change.
  /// - Returns: the rows of the screen.
  /// - Throws: `ProgramReport` if tmux ends before; `CancellationError` if the test exceeds its time limit, which also records
  ///   the current contents of the terminal.
  @discardableResult
  func screen(of pane: Int = 0, until condition: @escaping @Sendable ([String]) -> Bool) async throws -> [String] {
    while true {
      let (rows, mark) = try await reply(to: "capture-pane -p -t %\(pane + 1)")
      if condition(rows) { return rows }
      do {
        try await tmux.prints { output in
          Self.rest(of: output, after: mark)?.rest.contains { $0.hasPrefix("%output %\(pane + 1) ") } == true
        }
      } catch let error as CancellationError {
        Issue.record("The terminal still shows:\n\(rows.joined(separator: "\n"))")
        throw error
      }
    }
  }

  /// Waits until a terminal shows several strings at the same time.
  @discardableResult
  func screen(of pane: Int = 0, shows texts: String...) async throws -> [String] {
    try await screen(of: pane) { rows in texts.allSatisfy { text in rows.contains { $0.contains(text) } } }
  }

  /// Returns tmux's value of a format for a terminal, such as `#{alternate_on}`.
  func value(_ format: String, of pane: Int = 0) async throws -> String {
    try await reply(to: "display-message -p -t %\(pane + 1) '\(format)'").rows.joined()
  }

  /// Returns the process in a terminal, below the shells that wait for it.
  func process(in pane: Int = 0) async throws -> Int32? {
    var process = try await value("#{pane_pid}", of: pane)
    while let child = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      .split(separator: " ").first
    {
      process = String(child)
    }
    return Int32(process)
  }

  /// All output to the terminals.
  var sent: String { tmux.output }

  private func reply(to command: String) async throws -> (rows: [String], mark: String) {
    let mark = "mark-\(UInt64.random(in: 0 ... .max))"
    tmux.write("display-message -p \(mark)\n\(command)\n")
    try await tmux.prints { Self.rest(of: $0, after: mark) != nil }
    return (Self.rest(of: tmux.output, after: mark)?.reply ?? [], mark)
  }

  /// Returns the reply after a mark, between `%begin` and `%end`, and the rest of the output; nil until the reply is complete.
  private static func rest(of output: String, after mark: String) -> (reply: [String], rest: ArraySlice<String>)? {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let place = lines.lastIndex(of: mark), let begin = lines[place...].firstIndex(where: { $0.hasPrefix("%begin ") }),
      let end = lines[begin...].firstIndex(where: { $0.hasPrefix("%end ") || $0.hasPrefix("%error ") })
    else { return nil }
    return (Array(lines[begin + 1..<end]), lines[(end + 1)...].dropLast())
  }
}
