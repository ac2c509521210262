import CoordinatorKit
import RendererKit

/// The parsed arguments of `send [FLOW-TREE] EVENT [ITEM…] [key=value…]`.
public struct SendArguments: Sendable, Hashable {
  /// The events that take ids without a key: `select lamp` is `select id=lamp`.
  private static let shorthands: Set<String> = [Event.select, ReviewRow.change]

  /// The flow tree, or nil if none is named.
  public var tree: String?
  /// The name of the event.
  public var event: String
  /// The ids that are given without a key.
  public var ids: [String] = []
  /// The payload of the event.
  public var assignments: [Assignment]

  /// Parses the arguments. An assignment contains `=`; the names before the first assignment do not.
  ///
  /// - Parameters:
  ///   - words: arguments in their order.
  ///   - running: names of the flow trees that run. One may have the name of an event that takes ids.
  /// - Throws: ``ToolFailure`` with the exit code for a usage error.
  public init(_ words: [String], running: Set<String> = []) throws(ToolFailure) {
    let names = Array(words.prefix { !Assignment.isAssignment($0) })
    switch names.count {
    case 1: (tree, event) = (nil, names[0])
    case 2 where !Self.mayOmitTree(words) || running.contains(names[0]): (tree, event) = (names[0], names[1])
    case 3... where Self.shorthands.contains(names[1]): (tree, event, ids) = (names[0], names[1], Array(names[2...]))
    case 2... where Self.mayOmitTree(words): (tree, event, ids) = (nil, names[0], Array(names[1...]))
    default:
      throw ToolFailure(
        [
          "send requires one event, and a flow tree if several are running: send [FLOW-TREE] EVENT [key=value ...]",
          "  items of a list are chosen with: send [FLOW-TREE] select ITEM",
        ], exit: .usage)
    }
    assignments = try Assignment.all(words.dropFirst(names.count))
  }

  /// Returns whether the first word may be an event that takes ids, so that the names of running flow trees are needed.
  static func mayOmitTree(_ words: [String]) -> Bool { words.count > 1 && shorthands.contains(words[0]) }

  /// Returns the assignments on a screen, with the ids that are given without a key.
  ///
  /// - Parameter takesSeveral: whether several items of the screen's list can be chosen.
  /// - Returns: the assignments, those from ids last.
  func assignments(takesSeveral: Bool) -> [Assignment] {
    guard !ids.isEmpty else { return assignments }
    let isList = event == Event.select && (takesSeveral || ids.count > 1)
    let given: [Assignment] =
      isList
      ? [Assignment(key: "ids", source: .json(.array(ids.map(JSONValue.string))))]
      : ids.map { Assignment(key: "id", source: .text($0)) }
    return given + assignments
  }
}
