/// An addition to the contract that a daemon has, listed in the manager's property `Features`. A client that needs one
/// can tell that it talks to an older daemon.
public enum Feature: String, Sendable, Hashable, CaseIterable {
  /// `ListFlows` returns the schemas of what flows hand out.
  case resultSchemas = "result-schemas"
}
