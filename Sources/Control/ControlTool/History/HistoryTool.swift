import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import Platform
import RendererKit

/// The `coordinatorctl log` command, which reads the history that a daemon keeps, whether or not the daemon is running.
public struct HistoryTool: Sendable {
  private let reader: HistoryReader
  private let output: ToolOutput
  private let style: HistoryStyle

  /// Creates a tool.
  ///
  /// - Parameters:
  ///   - directory: state directory of the daemon.
  ///   - output: output of the command.
  ///   - style: format of the entries.
  public init(directory: String, output: ToolOutput, style: HistoryStyle = HistoryStyle()) {
    reader = HistoryReader(directory: directory)
    self.output = output
    self.style = style
  }

  /// Prints the newest entries that match a query, oldest first.
  ///
  /// - Throws: ``ToolFailure``.
  public func show(_ query: HistoryQuery) throws(ToolFailure) {
    var table = HistoryTable(style: style, text: output.style)
    let entries = try page(query).entries
    if entries.isEmpty, !output.isJSON { output.say(["No matching entries."], json: .null) }
    say(entries, in: &table)
  }

  /// Prints the newest entries that match a query, then every new one, indefinitely.
  ///
  /// - Parameters:
  ///   - query: query that the entries must match.
  ///   - pause: closure that waits before the journal is read again. Throwing ends the method.
  /// - Throws: ``ToolFailure``, and whatever `pause` throws.
  public func follow(_ query: HistoryQuery, pause: () async throws -> Void) async throws {
    var table = HistoryTable(style: style, text: output.style)
    let first = try page(query)
    say(first.entries, in: &table)
    var seen = first.lastNumber
    while true {
      try await pause()
      // A daemon that finds its journal damaged starts a new one, so the numbers may start over.
      guard let page = try pageIfAny(query, after: seen) else { continue }
      if page.lastNumber >= seen { say(page.entries, in: &table) }
      seen = page.lastNumber < seen ? 0 : page.lastNumber
    }
  }

  /// Returns the coordinator that a command-line argument refers to: `pets_1`, `pets_1/schedule_visit_1`, or the object
  /// path of either.
  ///
  /// - Throws: ``ToolFailure`` if the argument is not a coordinator's path.
  public static func path(_ text: String) throws(ToolFailure) -> CoordinatorPath {
    let names = text.bytes.dropping(prefix: "\(Contract.flowsPath.string)/") ?? text[...]
    guard let path = CoordinatorPath(names: names.bytes.split(separator: "/")), path.text.bytes.equals(names) else {
      throw ToolFailure(
        ["'\(text.printable)' is not a coordinator; expected a name such as pets_1/schedule_visit_1"], exit: .usage)
    }
    return path
  }

  private func say(_ entries: [HistoryEntry], in table: inout HistoryTable) {
    if output.isJSON {
      for entry in entries { output.say([], json: style.json(of: entry)) }
    } else {
      output.say(table.lines(for: entries), json: .null)
    }
  }

  private func page(_ query: HistoryQuery) throws(ToolFailure) -> HistoryReader.Page {
    do {
      return try reader.page(query)
    } catch {
      throw ToolFailure(error)
    }
  }

  private func pageIfAny(_ query: HistoryQuery, after number: UInt64) throws(ToolFailure) -> HistoryReader.Page? {
    var query = query
    query.after = number
    query.limit = .max
    do {
      return try reader.page(query)
    } catch {
      if case .noJournal = error { return nil }
      throw ToolFailure(error)
    }
  }
}

extension ToolFailure {
  fileprivate init(_ error: JournalError) {
    if case .noJournal = error {
      self.init([error.description, "  give the daemon's state directory with --state-dir"])
    } else {
      self.init([error.description])
    }
  }
}
