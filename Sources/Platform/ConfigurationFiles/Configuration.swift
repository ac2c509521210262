import Platform

/// The effective settings and their origins.
///
/// A configuration is read as a whole, so that all problems are found at once.
public struct Configuration: Sendable {
  /// A value that a source has set.
  struct Given: Sendable {
    let text: String
    let origin: ConfigurationOrigin
  }

  /// A key and the section that contains it.
  struct Place: Sendable, Hashable {
    var key: String
    /// The name of the section within its family; nil for a single section.
    var section: String?

    init(_ key: KeyEntry, in section: ConfigurationSection? = nil) {
      self.key = key.name
      self.section = section?.name
    }
  }

  /// The known keys.
  public let keys: [KeyEntry]
  /// The paths of the files that were read, in that order.
  public internal(set) var files: [String] = []
  /// The problems found. Invalid values are ignored.
  public internal(set) var problems: [ConfigurationProblem] = []
  /// The sections of families, in the order of their first appearance.
  public internal(set) var sections: [ConfigurationSection] = []
  var given: [Place: Given] = [:]

  init(keys: [KeyEntry]) { self.keys = keys }

  /// Returns the effective value of a key.
  public subscript<Value>(key: ConfigurationKey<Value>) -> Value {
    given[Place(key.entry)].flatMap { key.format.read($0.text) } ?? key.defaultValue
  }

  /// Returns the value of a key in a section of a family.
  public subscript<Value>(key: ConfigurationKey<Value>, in section: ConfigurationSection) -> Value {
    given[Place(key.entry, in: section)].flatMap { key.format.read($0.text) } ?? key.defaultValue
  }

  /// Returns the origin of a key's effective value.
  public func origin<Value>(of key: ConfigurationKey<Value>) -> ConfigurationOrigin { origin(of: key.entry) }

  /// Returns whether a file sets a key in a section of a family.
  package func isSet<Value>(_ key: ConfigurationKey<Value>, in section: ConfigurationSection) -> Bool {
    given[Place(key.entry, in: section)] != nil
  }

  /// Whether any source sets any key.
  package var hasValues: Bool { !given.isEmpty }

  /// Returns whether a source sets a key to an invalid value.
  package func isWrong<Value>(_ key: ConfigurationKey<Value>) -> Bool {
    problems.contains { $0.message.bytes.hasPrefix("\(key.entry.name)=") }
  }

  /// Returns whether a source sets a key.
  package func isSet<Value>(_ key: ConfigurationKey<Value>) -> Bool { given[Place(key.entry)] != nil }

  func origin(of key: KeyEntry) -> ConfigurationOrigin { given[Place(key)]?.origin ?? .builtIn }

  /// Returns the effective value of a key as it would be written in a file.
  func text(of key: KeyEntry) -> String { given[Place(key)]?.text ?? key.defaultText }

  /// Reports that the value of a key conflicts with something else.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - reason: the reason why the value is not acceptable.
  public mutating func refuse<Value>(_ key: ConfigurationKey<Value>, _ reason: String) {
    problems.append(ConfigurationProblem("\(key.entry.name)=\(text(of: key.entry)): \(reason)", at: origin(of: key)))
  }

  /// Reports that the value of a key in a section of a family is not acceptable.
  public mutating func refuse<Value>(_ key: ConfigurationKey<Value>, in section: ConfigurationSection, _ reason: String) {
    let given = given[Place(key.entry, in: section)]
    problems.append(
      ConfigurationProblem("\(key.entry.name)=\(given?.text ?? ""): \(reason)", at: given?.origin ?? section.origin))
  }

  /// Reports a problem with a file as a whole.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - reason: the message.
  package mutating func refuse(file: String, _ reason: String) {
    problems.append(ConfigurationProblem(reason, with: file))
  }

  /// Reports that a section of a family is not acceptable.
  public mutating func refuse(_ section: ConfigurationSection, _ reason: String) {
    problems.append(ConfigurationProblem("[\(section.family) \(section.name)]: \(reason)", at: section.origin))
  }

  /// Returns the keys whose effective values differ from those in another configuration.
  public func changes(from other: Configuration) -> [KeyEntry] {
    keys.filter { $0.family == nil ? text(of: $0) != other.text(of: $0) : texts(of: $0) != other.texts(of: $0) }
  }

  /// Returns the values of a key in all sections of its family.
  private func texts(of key: KeyEntry) -> [String: String] {
    var texts: [String: String] = [:]
    for section in sections where section.family == key.family { texts[section.name] = given[Place(key, in: section)]?.text }
    return texts
  }
}

extension Configuration: CustomStringConvertible {
  /// A configuration file with the same settings, in which a comment above each value gives its origin. Defaults are
  /// commented out.
  public var description: String {
    var lines = files.isEmpty ? ["# No configuration file was found."] : files.map { "# Read: \($0)" }
    var section = ""
    for key in keys where key.family == nil {
      if key.section != section {
        section = key.section
        lines += ["", "[\(section)]"]
      }
      lines += self.lines(of: key)
    }
    for section in sections {
      lines += ["", "[\(section.family) \(section.name)]"]
      lines += keys.filter { $0.family == section.family }.flatMap { self.lines(of: $0, in: section) }
    }
    return lines.joined(separator: "\n")
  }

  private func lines(of key: KeyEntry, in section: ConfigurationSection? = nil) -> [String] {
    guard let given = given[Place(key, in: section)] else { return ["#\(key.name)=\(key.defaultText)"] }
    return ["# \(given.origin)", "\(key.name)=\(given.text)"]
  }
}
