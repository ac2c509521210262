import CoordinatorKit

/// Builds an input or a payload from the assignments of a command line.
public enum TypedArguments {
  /// The reason why the assignments do not form an object.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A key that is not a list occurs twice.
    case givenTwice(String)
    /// A file cannot be read.
    case unreadable(key: String, path: String)

    /// A one-line description of the error for users.
    public var description: String {
      switch self {
      case .givenTwice(let key): "'\(key)' is given twice"
      case .unreadable(let key, let path): "'\(key)': cannot read '\(path)'"
      }
    }
  }

  /// Builds the object.
  ///
  /// - Parameters:
  ///   - assignments: assignments in the order of the command line. A key whose type is a list may occur several times.
  ///   - schema: schema that determines the types of the values; without one, text remains a string.
  ///   - read: closure that reads a file to its end, or for `-` the next line of standard input; returns nil on
  ///     failure.
  /// - Returns: the object, unchecked. The daemon checks it and names each field that is wrong.
  /// - Throws: ``Failure``.
  public static func object(
    from assignments: [Assignment], schema: Schema?, read: (String) -> String?
  ) throws(Failure) -> [String: JSONValue] {
    let fields = Dictionary((schema?.fields ?? []).map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    var result: [String: JSONValue] = [:]
    for assignment in assignments {
      let key = assignment.key
      let value: JSONValue
      switch assignment.source {
      case .json(let json): value = json
      case .text(let text): value = fields[key].map { FieldText.value(of: text, in: $0) } ?? .string(text)
      case .file(let path):
        guard let text = read(path) else { throw .unreadable(key: key, path: path) }
        value = fields[key].map { FieldText.value(of: text, in: $0) } ?? .string(text)
      }
      guard let earlier = result[key] else {
        result[key] = value
        continue
      }
      guard case .list? = fields[key]?.rule, let before = earlier.array, let more = value.array else {
        throw .givenTwice(key)
      }
      result[key] = .array(before + more)
    }
    return result
  }
}
