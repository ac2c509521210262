/// The kinds of words that a word of a command line can be completed to.
public enum CompletionTarget: Sendable, Hashable, CaseIterable {
  /// A flow that can be started.
  case flows
  /// A flow, and then its input.
  case starting
  /// A flow tree that runs.
  case trees
  /// A flow or a flow tree.
  case flowsAndTrees
  /// A flow tree that runs or has ended.
  case ended
  /// A token whose flow has ended.
  case tokens
  /// The name of a screen of a flow tree.
  case screens
  /// A flow tree, an event, and its payload.
  case sending
}
