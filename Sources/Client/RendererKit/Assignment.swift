import CoordinatorKit
import Platform

/// A `key=value` argument.
public struct Assignment: Sendable, Hashable {
  /// The source of the value.
  public enum Source: Sendable, Hashable {
    /// `key=text`: converted to the type that the schema requires.
    case text(String)
    /// `key:=json`: used as is.
    case json(JSONValue)
    /// `key=@path`: the contents of a file, without one trailing line break. `-` is the next line of standard input.
    case file(String)
  }

  /// The key in the input or the payload.
  public var key: String
  /// The source of the key's value.
  public var source: Source

  /// The reason why an argument is not an assignment.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The argument has no `=`, or nothing before it.
    case noKey(String)
    /// The text after `:=` is not JSON.
    case notJSON(key: String)

    /// A one-line description of the error for users.
    public var description: String {
      switch self {
      case .noKey(let argument): "'\(argument)' is not of the form key=value"
      case .notJSON(let key): "the value after '\(key):=' is not JSON; for a string, write \(key)=text"
      }
    }
  }

  /// Creates an assignment.
  package init(key: String, source: Source) {
    self.key = key
    self.source = source
  }

  /// Parses an argument.
  ///
  /// - Parameter argument: argument of the form `key=text`, `key:=json`, `key=@path` or `key=@-`.
  /// - Throws: ``Malformed``.
  public init(_ argument: String) throws(Malformed) {
    guard let (name, value) = argument.bytes.cut(at: "="), !name.isEmpty else { throw .noKey(argument) }
    if let name = name.bytes.dropping(suffix: ":") {
      guard !name.isEmpty else { throw .noKey(argument) }
      guard let json = try? JSONValue(parsing: value.utf8) else { throw .notJSON(key: String(name)) }
      key = String(name)
      source = .json(json)
    } else {
      key = String(name)
      source = value.bytes.dropping(prefix: "@").map { Source.file(String($0)) } ?? .text(String(value))
    }
  }

  /// Returns whether an argument is meant as an assignment rather than a name.
  public static func isAssignment(_ argument: String) -> Bool { argument.utf8.contains(UInt8(ascii: "=")) }
}

extension Assignment {
  /// Parses several assignments.
  ///
  /// - Parameter words: arguments of the form `key=value`.
  /// - Returns: the assignments in their order.
  /// - Throws: ``ToolFailure`` with the exit code for a usage error.
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
  /// - Returns: the object, unchecked, in which null is no value. The daemon checks it and names each field that is wrong.
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
      case .text(let text): value = fields[key].map { FieldText.argument(text, in: $0) } ?? .string(text)
      case .file(let path):
        guard let text = read(path) else { throw .unreadable(key: key, path: path) }
        value = fields[key].map { FieldText.argument(text, in: $0) } ?? .string(text)
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
