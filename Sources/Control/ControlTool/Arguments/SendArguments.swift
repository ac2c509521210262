import RendererKit

/// The parsed arguments of `send [FLOW-TREE] EVENT [key=value…]`.
public struct SendArguments: Sendable, Hashable {
  /// The flow tree, or nil if none is named.
  public var tree: String?
  /// The name of the event.
  public var event: String
  /// The payload of the event.
  public var assignments: [Assignment]

  /// Parses the arguments. An assignment contains `=`; the names before the first assignment do not.
  ///
  /// - Parameter words: arguments in their order.
  /// - Throws: ``ToolFailure`` with the exit code for a usage error.
  public init(_ words: [String]) throws(ToolFailure) {
    let names = Array(words.prefix { !Assignment.isAssignment($0) })
    switch names.count {
    case 1: (tree, event) = (nil, names[0])
    case 2: (tree, event) = (names[0], names[1])
    default:
      throw ToolFailure(
        ["send requires one event, and a flow tree if several are running: send [FLOW-TREE] EVENT [key=value ...]"], exit: .usage)
    }
    assignments = try Assignment.all(words.dropFirst(names.count))
  }
}
