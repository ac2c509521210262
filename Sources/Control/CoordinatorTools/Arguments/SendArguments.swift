/// Tells apart what `send [FLOW-TREE] EVENT [key=value…]` was given.
public struct SendArguments: Sendable, Hashable {
  /// The flow tree, if it was named.
  public var tree: String?
  /// The event.
  public var event: String
  /// Its payload.
  public var assignments: [Assignment]

  /// Reads the words of a command line: assignments hold a `=`, the names before them do not.
  ///
  /// - Parameter words: The words in their order.
  /// - Throws: `ToolFailure` with the exit code for wrong arguments.
  public init(_ words: [String]) throws(ToolFailure) {
    let names = Array(words.prefix { !Assignment.isAssignment($0) })
    switch names.count {
    case 1: (tree, event) = (nil, names[0])
    case 2: (tree, event) = (names[0], names[1])
    default:
      throw ToolFailure(
        ["send takes a flow tree, if there are several, and one event: send [FLOW-TREE] EVENT [key=value ...]"], exit: .usage)
    }
    assignments = try Assignment.all(words.dropFirst(names.count))
  }
}

extension Assignment {
  /// Reads several assignments.
  ///
  /// - Parameter words: `key=value` each.
  /// - Returns: The assignments in their order.
  /// - Throws: `ToolFailure` with the exit code for wrong arguments.
  public static func all(_ words: some Sequence<String>) throws(ToolFailure) -> [Assignment] {
    var result: [Assignment] = []
    for word in words {
      do {
        result.append(try Assignment(word))
      } catch {
        throw ToolFailure([error.description], exit: .usage)
      }
    }
    return result
  }
}
