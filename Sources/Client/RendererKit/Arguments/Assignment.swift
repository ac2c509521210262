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
