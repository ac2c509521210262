/// The effective settings and their origins.
///
/// A configuration is read as a whole, so that all problems are found at once.
public struct Configuration: Sendable {
  /// A value that a source has set.
  struct Given: Sendable {
    let text: String
    let origin: ConfigurationOrigin
  }

  /// The known keys.
  public let keys: [KeyEntry]
  /// The paths of the files that were read, in that order.
  public internal(set) var files: [String] = []
  /// The problems found. Invalid values are ignored.
  public internal(set) var problems: [ConfigurationProblem] = []
  var given: [String: Given] = [:]

  init(keys: [KeyEntry]) { self.keys = keys }

  /// Returns the effective value of a key.
  public subscript<Value>(key: ConfigurationKey<Value>) -> Value {
    given[key.entry.name].flatMap { key.format.read($0.text) } ?? key.defaultValue
  }

  /// Returns the origin of a key's effective value.
  public func origin<Value>(of key: ConfigurationKey<Value>) -> ConfigurationOrigin { origin(of: key.entry) }

  func origin(of key: KeyEntry) -> ConfigurationOrigin { given[key.name]?.origin ?? .builtIn }

  /// Returns the effective value of a key as it would be written in a file.
  func text(of key: KeyEntry) -> String { given[key.name]?.text ?? key.defaultText }

  /// Reports that the value of a key conflicts with something else.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - reason: the reason why the value is not acceptable.
  public mutating func refuse<Value>(_ key: ConfigurationKey<Value>, _ reason: String) {
    problems.append(ConfigurationProblem("\(key.entry.name)=\(text(of: key.entry)): \(reason)", at: origin(of: key)))
  }

  /// Returns the keys whose effective values differ from those in another configuration.
  public func changes(from other: Configuration) -> [KeyEntry] { keys.filter { text(of: $0) != other.text(of: $0) } }
}

extension Configuration: CustomStringConvertible {
  /// A configuration file with the same settings, in which a comment above each value gives its origin. Defaults are
  /// commented out.
  public var description: String {
    var lines = files.isEmpty ? ["# No configuration file was found."] : files.map { "# Read: \($0)" }
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
