import CoordinatorKit

/// Makes an input or a payload of the assignments of a command line.
public enum TypedArguments {
  /// Why assignments make no object.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A key that is not a list is there twice.
    case givenTwice(String)
    /// A file could not be read.
    case unreadable(key: String, path: String)

    /// One line for people.
    public var description: String {
      switch self {
      case .givenTwice(let key): "'\(key)' is given twice"
      case .unreadable(let key, let path): "'\(key)': cannot read '\(path)'"
      }
    }
  }

  /// Makes the object.
  ///
  /// - Parameters:
  ///   - assignments: In the order of the command line. A key that is a list may be there several times.
  ///   - schema: What says of which type a text is; without one every text stays a text.
  ///   - read: Reads a file to the end, or the next line of standard input for `-`; nil if it cannot.
  /// - Returns: The object. It is not checked against the schema: the daemon does that, and names each field.
  /// - Throws: `Failure`.
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
