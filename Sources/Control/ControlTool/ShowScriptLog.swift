import CoordinatorKit
import RendererKit
import ScriptEngine

/// `coordinatorctl script log`: prints the log of a script, and its output.
public struct ShowScriptLog: Sendable {
  private let session: ToolSession
  private let secondsFromGMT: Int?

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - session: session with the daemon.
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  public init(_ session: ToolSession, secondsFromGMT: Int? = nil) {
    self.session = session
    self.secondsFromGMT = secondsFromGMT
  }

  /// Prints the log of a flow tree.
  ///
  /// - Parameter tree: flow tree, or path of a child; nil for the only active tree.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?) async throws(ToolFailure) {
    let script = try await ScriptTree(tree, session)
    let log = try await script.log().log
    let (flow, held) = try await script.details()
    let output = await script.output()
    let entries = log.entries.enumerated().map { index, entry in
      ScriptEntryLine(entry, number: index + 1, suggestion: log.suggestions[entry.key], secondsFromGMT: secondsFromGMT)
    }
    var lines = ["\(script.name): \(flow), version \(log.version)\(log.undoing == nil ? "" : "; steps are being undone")"]
    if !log.input.isEmpty { lines.append("  input \(JSONValue.object(log.input).canonicalText)") }
    lines += Self.table(entries.map(\.columns))
    let open = Set(log.entries.map(\.key))
    lines += log.suggestions.keys.filter { !open.contains($0) }.sorted().map { "  suggested when it is asked again: \($0)" }
    if let held { lines.append("held: \(held)") }
    if !output.isEmpty { lines += ["output:"] + output.map { "  \($0)" } }
    var json: [String: JSONValue] = [
      "coordinator": .string(script.path.string), "flow": .string(flow), "version": .integer(Int64(log.version)),
      "input": .object(log.input), "entries": .array(entries.map(\.json)),
      "suggestions": .object(log.json["suggestions"]?.object ?? [:]), "output": .array(output.map { .string($0) }),
    ]
    json["held"] = held.map { .string($0) }
    session.output.say(lines.map(\.printable), json: .object(json))
  }

  private static func table(_ rows: [[String]]) -> [String] {
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return "  \(padded.joined(separator: "  "))  \(row[3])"
    }
  }
}
