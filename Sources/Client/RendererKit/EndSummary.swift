import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import Platform

/// The summary of an ended flow for users: how it ended, and what was decided, in words.
public struct EndSummary: Sendable, Hashable {
  /// A decision.
  public struct Row: Sendable, Hashable {
    /// The title of the decision.
    public let title: String
    /// The decided value.
    public let value: String
    /// The decided value if it is a date. The value then contains it in numbers.
    public let date: LocalizedDate?
  }

  /// The end of the flow.
  public let end: FlowEnd
  /// The decisions, in the order in which they were requested or declared; empty unless the flow has finished.
  public let rows: [Row]

  /// Creates a summary.
  ///
  /// - Parameters:
  ///   - end: end of the flow.
  ///   - flow: listing of the flow, whose schema contains the titles of the result; nil if it is not known.
  ///   - review: answers that were under review when the flow ended. They take precedence over the result, because the user has
  ///     seen them.
  public init(_ end: FlowEnd, of flow: FlowListing? = nil, review: [ReviewRow] = []) {
    self.end = end
    guard case .finished(let result) = end else {
      rows = []
      return
    }
    rows =
      review.isEmpty
      ? Self.rows(of: result, schema: flow?.result)
      : review.map { row in
        let date = row.date
        let value = date?.text ?? row.value.printableLines.joined(separator: "\n")
        return Row(title: row.title.printable, value: value, date: date)
      }
  }

  /// The heading.
  public var title: String {
    switch end {
    // TRANSLATORS: The heading when a flow has finished.
    case .finished: Text("Done").string
    case .cancelled: Text("Cancelled").string
    case .stopped: Text("Stopped").string
    case .failed: Text("It could not continue").string
    case .lost: Text("This flow is gone").string
    }
  }

  /// A sentence that explains the heading.
  public var explanation: String {
    switch end {
    case .finished, .stopped: end.sentence
    case .cancelled: Text("The flow was left before it finished.").string
    case .failed(let code, let message, let isTechnical):
      isTechnical || message.isEmpty ? FlowEnd.sentence(ofFailure: code) : message.printable
    case .lost: Text("It is not running, and its outcome is no longer known.").string
    }
  }

  /// The lines for users of a terminal: a sentence, and the decisions, indented.
  public var lines: [String] {
    [end.sentence]
      + rows.flatMap { row in
        let values = row.value.bytes.split(separator: "\n", omittingEmptySubsequences: false)
        return values.count == 1 ? ["  \(row.title): \(row.value)"] : ["  \(row.title):"] + values.map { "    \($0)" }
      }
  }

  /// Returns the members of a result: first those that the schema declares, in its order, then the others by name. Members
  /// without a value are omitted.
  private static func rows(of result: [String: JSONValue], schema: Schema?) -> [Row] {
    let declared = schema?.fields ?? []
    let known = Set(declared.map(\.name))
    let rows = declared.compactMap { field in
      result[field.name].flatMap { row(field.schema.title ?? field.name, $0, field.schema) }
    }
    let others = result.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
    return rows + others.compactMap { row($0.key, $0.value, nil) }
  }

  private static func row(_ title: String, _ value: JSONValue, _ schema: Schema?) -> Row? {
    let date = schema.flatMap { LocalizedDate(value, in: $0) }
    let text = value.isNull ? "" : date?.text ?? schema.map { FieldText.text(of: value, in: $0) } ?? value.plainText
    return text.isEmpty ? nil : Row(title: title.printable, value: text, date: date)
  }
}

/// The notes that a renderer takes while it shows a flow tree, to summarize the decisions at the end.
public struct EndNotes: Sendable, Hashable {
  /// The answers that were under review in the last window that showed a screen.
  public private(set) var review: [ReviewRow] = []
  /// The flow, whose schema contains the titles of the result; nil while it is not known.
  public var flow: FlowListing?

  /// Creates empty notes.
  public init() {}

  /// Records the answers under review in a window. A window without a screen belongs to a flow that is about to end.
  public mutating func note(_ window: MirroredWindow) {
    guard !window.screens.isEmpty else { return }
    review = window.screens.last { !$0.screen.review.isEmpty }?.screen.review ?? []
  }

  /// Returns the summary at the end.
  ///
  /// - Parameter end: end of the flow.
  /// - Returns: the summary.
  public func summary(of end: FlowEnd) -> EndSummary { EndSummary(end, of: flow, review: review) }
}

extension DaemonClient {
  /// Returns the listing of the flow of a tree that has ended, for an ``EndSummary``.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the flow; nil if it cannot be read, or the daemon no longer knows it.
  package func flow(ofEnded tree: ObjectPath) async -> FlowListing? {
    guard let name = (try? await manager.flow(ofEnded: tree)) ?? nil else { return nil }
    return await flow(named: name)
  }

  /// Returns the listing of a flow.
  ///
  /// - Parameter name: name of the flow.
  /// - Returns: the flow; nil if it cannot be read, or does not exist.
  package func flow(named name: String) async -> FlowListing? {
    (try? await manager.listFlows())?.first { $0.name == name }
  }
}
