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
