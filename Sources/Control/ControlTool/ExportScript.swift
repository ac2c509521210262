import CoordinatorKit
import RendererKit
import ScriptEngine

/// `coordinatorctl script export`: prints the log of a script, to keep as a test.
public struct ExportScript: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the log of a flow tree as JSON: all recorded entries, without running operations.
  ///
  /// - Parameter tree: flow tree, or path of a child; nil for the only active tree.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?) async throws(ToolFailure) {
    let script = try await ScriptTree(tree, session)
    let flow = try await script.details().flow
    var log = try await script.log().log
    while let last = log.entries.last, last.isOpen { log.entries.removeLast() }
    (log.running, log.stumbles, log.undoing, log.notices, log.works) = (nil, nil, nil, [], 0)
    var object = log.json.object ?? [:]
    object["flow"] = .string(flow)
    let text = JSONValue.object(object).wholeText
    session.output.say([text], json: .object(object))
  }
}

/// `coordinatorctl script drop-last`: drops the last answer of a script, and all entries since.
public struct DropLastAnswer: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Drops the last answer, and prints the dropped entries.
  ///
  /// - Parameter tree: flow tree, or path of a child; nil for the only active tree.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?) async throws(ToolFailure) {
    let script = try await ScriptTree(tree, session)
    let before = try await script.log().log
    guard let last = before.entries.lastIndex(where: { $0.ask?.answer != nil }) else {
      throw ToolFailure(["nothing was answered in '\(script.name.printable)' yet"])
    }
    try await script.dropLast()
    // The dropped entries are computed before, because the next run may already have recorded the same entries again.
    let after = try await script.log().log
    guard after.entries.count <= last || after.entries[last] != before.entries[last] else {
      throw ToolFailure(["nothing was dropped; 'coordinatorctl script log \(script.name.printable)' shows why"])
    }
    let dropped = before.entries[last...].filter { !$0.isOpen }
    // An effect that was begun may have been carried out, even if no result was recorded.
    let effects = before.entries[last...].filter(\.isEffect).map { "\($0.body.word) \($0.key)" }
    var lines = ["dropped: " + dropped.map { "\($0.body.word) \($0.key)" }.joined(separator: ", ")]
    if !effects.isEmpty { lines.append("not undone, and may be done again: \(effects.joined(separator: ", "))") }
    session.output.say(
      lines.map(\.printable),
      json: [
        "dropped": .array(dropped.map { ["kind": .string($0.body.word), "key": .string($0.key)] }),
        "done": .array(effects.map { .string($0) }),
      ])
  }
}
