import CoordinatorClient
import DBus
import Platform

/// The meaning of `FLOW|TREE` in `coordinator-tui FLOW|TREE`: a flow tree to attach to, or a flow to start.
public enum OpenTarget: Sendable, Hashable {
  /// A flow tree that is active or has ended.
  case attach(ObjectPath)
  /// The name of a flow to start.
  case start(String)

  /// Resolves an argument.
  ///
  /// - Parameters:
  ///   - text: path, name of a root coordinator, name of a flow, or prefix of a root coordinator's name, tried in this
  ///     order; nil if the argument was omitted, which means the only active flow tree.
  ///   - active: paths of the active root coordinators.
  ///   - flows: names of the flows that can be started.
  /// - Throws: ``ToolFailure`` with suggestions.
  public init(_ text: String?, active: [ObjectPath], flows: [String]) throws(ToolFailure) {
    let names = active.map(TreeSelector.name)
    if let text, !text.bytes.hasPrefix("/"), !names.contains(where: text.bytes.equals) {
      if flows.contains(where: text.bytes.equals) {
        self = .start(text)
        return
      }
      if !names.contains(where: { $0.bytes.hasPrefix(text) }) {
        let suggestion = Suggestion.best(for: text, among: flows + names).map { "  did you mean '\($0)'?" }
        throw ToolFailure(
          [
            "there is no flow '\(text.printable)', and no running flow tree of that name",
            suggestion ?? "  flows: \(flows.sorted().joined(separator: ", "))",
          ], cause: .unknown, name: "UnknownFlow")
      }
    }
    do {
      self = .attach(try TreeSelector.root(text, among: active))
    } catch {
      throw ToolFailure(error)
    }
  }
}
