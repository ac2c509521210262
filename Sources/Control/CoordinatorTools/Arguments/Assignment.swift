import CoordinatorKit
import FoundationEssentials

/// One `key=value` of a command line.
public struct Assignment: Sendable, Hashable {
  /// Where the value is to be taken from.
  public enum Source: Sendable, Hashable {
    /// `key=text`: typed as the schema asks for.
    case text(String)
    /// `key:=json`: as it is.
    case json(JSONValue)
    /// `key=@path`: the contents of a file, less one line break at the end. `-` is the next line of standard input.
    case file(String)
  }

  /// The key of the input or the payload.
  public var key: String
  /// Where its value comes from.
  public var source: Source

  /// Why an argument is no assignment.
  public enum Malformed: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no `=`, or nothing before it.
    case noKey(String)
    /// What follows `:=` is not JSON.
    case notJSON(key: String)

    /// One line for people.
    public var description: String {
      switch self {
      case .noKey(let argument): "'\(argument)' is not of the form key=value"
      case .notJSON(let key): "what follows '\(key):=' is not JSON; for a text, write \(key)=text"
      }
    }
  }

  /// An assignment.
  init(key: String, source: Source) {
    self.key = key
    self.source = source
  }

  /// Reads an argument.
  ///
  /// - Parameter argument: `key=text`, `key:=json`, `key=@path` or `key=@-`.
  /// - Throws: `Malformed`.
  public init(_ argument: String) throws(Malformed) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { throw .noKey(argument) }
    var key = argument[..<equals]
    let value = String(argument[argument.index(after: equals)...])
    if key.last == ":" {
      key.removeLast()
      guard !key.isEmpty else { throw .noKey(argument) }
      guard let json = try? JSONDecoder().decode(JSONValue.self, from: Data(value.utf8)) else {
        throw .notJSON(key: String(key))
      }
      source = .json(json)
    } else {
      source = value.first == "@" ? .file(String(value.dropFirst())) : .text(value)
    }
    self.key = String(key)
  }

  /// Whether an argument looks like an assignment, and not like a name.
  public static func isAssignment(_ argument: String) -> Bool { argument.contains("=") }
}
