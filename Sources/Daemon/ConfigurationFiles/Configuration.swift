/// What holds, and who said so. Made as a whole: all that is wrong is found at once.
public struct Configuration: Sendable {
  /// A value that somebody has given.
  struct Given: Sendable {
    let text: String
    let origin: ConfigurationOrigin
  }

  /// The keys that there are.
  public let keys: [KeyEntry]
  /// The files that were read, in that order.
  public internal(set) var files: [String] = []
  /// What is wrong. Wrong values do not count.
  public internal(set) var problems: [ConfigurationProblem] = []
  var given: [String: Given] = [:]

  init(keys: [KeyEntry]) { self.keys = keys }

  /// What holds for a key.
  public subscript<Value>(key: ConfigurationKey<Value>) -> Value {
    given[key.entry.name].flatMap { key.format.read($0.text) } ?? key.defaultValue
  }

  /// Who says what holds for a key.
  public func origin<Value>(of key: ConfigurationKey<Value>) -> ConfigurationOrigin { origin(of: key.entry) }

  func origin(of key: KeyEntry) -> ConfigurationOrigin { given[key.name]?.origin ?? .builtIn }

  /// What holds for a key, as it would stand in a file.
  func text(of key: KeyEntry) -> String { given[key.name]?.text ?? key.defaultText }

  /// Notes that what was said of a key does not go with something else.
  ///
  /// - Parameters:
  ///   - key: which one.
  ///   - reason: why it cannot be so.
  public mutating func refuse<Value>(_ key: ConfigurationKey<Value>, _ reason: String) {
    problems.append(ConfigurationProblem("\(key.entry.name)=\(text(of: key.entry)): \(reason)", at: origin(of: key)))
  }

  /// The keys for which something else holds than in another configuration.
  public func changes(from other: Configuration) -> [KeyEntry] { keys.filter { text(of: $0) != other.text(of: $0) } }
}

extension Configuration: CustomStringConvertible {
  /// A file that says the same, with a comment above each value on where it comes from. Defaults are comments.
  public var description: String {
    var lines = files.isEmpty ? ["# No file was found."] : files.map { "# Read: \($0)" }
    var section = ""
    for key in keys {
      if key.section != section {
        section = key.section
        lines += ["", "[\(section)]"]
      }
      guard let given = given[key.name] else {
        lines.append("#\(key.name)=\(key.defaultText)")
        continue
      }
      lines += ["# \(given.origin)", "\(key.name)=\(given.text)"]
    }
    return lines.joined(separator: "\n")
  }
}
