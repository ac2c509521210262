import CoordinatorClient
import DBus
import Suggestions

/// What `coordinator-tui FLOW|TREE` means: a flow tree to attach to, or a flow to start.
public enum OpenTarget: Sendable, Hashable {
  /// A flow tree that is active, or was.
  case attach(ObjectPath)
  /// A flow.
  case start(String)

  /// Decides.
  ///
  /// - Parameters:
  ///   - text: A path, the name of a root coordinator, the name of a flow, or the beginning of a root coordinator's name, looked
  ///     for in this order. nil if it was left out: then the only flow tree that is active.
  ///   - active: The root coordinators that are active.
  ///   - flows: The names of the flows that can be started.
  /// - Throws: `ToolFailure`, with what could have been meant.
  public init(_ text: String?, active: [ObjectPath], flows: [String]) throws(ToolFailure) {
    let names = active.map(TreeSelector.name)
    if let text, !text.hasPrefix("/"), !names.contains(text) {
      if flows.contains(text) {
        self = .start(text)
        return
      }
      if !names.contains(where: { $0.hasPrefix(text) }) {
        let suggestion = Suggestion.best(for: text, among: flows + names).map { "  did you mean '\($0)'?" }
        throw ToolFailure([
          "there is no flow '\(text.printable)', and none running under that name",
          suggestion ?? "  flows: \(flows.sorted().joined(separator: ", "))",
        ])
      }
    }
    do {
      self = .attach(try TreeSelector.root(text, among: active))
    } catch {
      throw ToolFailure(error)
    }
  }
}
