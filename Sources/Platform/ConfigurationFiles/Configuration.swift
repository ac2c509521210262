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

/// A problem in a configuration and its place.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file and line, the variable, or the option.
  public let place: String
  /// The message: the problem and the expected value.
  public let message: String

  /// Creates a problem with a value or a line.
  public init(_ message: String, at origin: ConfigurationOrigin) {
    place = origin.description
    self.message = message
  }

  /// Creates a problem with a whole file or directory.
  package init(_ message: String, with path: String) {
    place = path
    self.message = message
  }

  /// The problem as `FILE:LINE: message`, the format that compilers use.
  public var description: String { "\(place): \(message)" }
}

/// The origin of a value.
public enum ConfigurationOrigin: Sendable, Hashable, CustomStringConvertible {
  /// The built-in default.
  case builtIn
  /// A line of a file: its path and its number, from 1.
  case file(String, line: Int)
  /// An environment variable, by name.
  case variable(String)
  /// A command-line option, by name without dashes.
  case flag(String)

  /// The origin as it is shown to users.
  public var description: String {
    switch self {
    case .builtIn: "default"
    case .file(let path, let line): "\(path):\(line)"
    case .variable(let name): "$\(name)"
    case .flag(let name): "--\(name)"
    }
  }

  /// The precedence: options override environment variables, which override files, which override built-in defaults.
  public var rank: Int {
    switch self {
    case .builtIn: 0
    case .file: 1
    case .variable: 2
    case .flag: 3
    }
  }
}

/// A setting: its name, its format and its default.
public struct ConfigurationKey<Value: Sendable>: Sendable {
  /// The key's description, independent of the type of its values.
  public let entry: KeyEntry
  /// The value if no source sets one.
  public let defaultValue: Value
  let format: ValueFormat<Value>

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - name: the name in files, such as `MaxFlows`. It must be unique in the program, whatever the section.
  ///   - section: the section that contains the key.
  ///   - format: the format of its values.
  ///   - defaultValue: the value if no source sets one.
  ///   - defaultText: a description of the default, if the default value alone does not describe it.
  ///   - flag: the command-line option that overrides the key, without dashes; nil for none.
  ///   - reloads: whether a new value takes effect at a reload; if not, it does at a restart.
  ///   - summary: the purpose of the key, in one sentence.
  public init(
    _ name: String, in section: String, _ format: ValueFormat<Value>, default defaultValue: Value, defaultText: String? = nil,
    flag: String? = nil, reloads: Bool = false, _ summary: String
  ) {
    self.init(
      name, section: section, family: nil, format, default: defaultValue, defaultText: defaultText, flag: flag,
      reloads: reloads, summary)
  }

  /// Creates a key of a family of sections, such as `[Flow NAME]`. It can be set in files only.
  ///
  /// - Parameters:
  ///   - name: the name in files. It must be unique in the program, whatever the section.
  ///   - family: the word that each of the sections begins with, such as `Flow`.
  ///   - placeholder: what follows the word, such as `NAME`.
  ///   - format: the format of its values.
  ///   - defaultValue: the value in a section that does not set one.
  ///   - reloads: whether a new value takes effect at a reload; if not, it does at a restart.
  ///   - summary: the purpose of the key, in one sentence.
  public init(
    _ name: String, inEach family: String, _ placeholder: String, _ format: ValueFormat<Value>, default defaultValue: Value,
    reloads: Bool = false, _ summary: String
  ) {
    self.init(
      name, section: "\(family) \(placeholder)", family: family, format, default: defaultValue, defaultText: nil, flag: nil,
      reloads: reloads, summary)
  }

  private init(
    _ name: String, section: String, family: String?, _ format: ValueFormat<Value>, default defaultValue: Value,
    defaultText: String?, flag: String?, reloads: Bool, _ summary: String
  ) {
    self.defaultValue = defaultValue
    self.format = format
    let read = format.read
    entry = KeyEntry(
      section: section, family: family, name: name, flag: flag, expected: format.expected, valueName: format.name,
      defaultText: defaultText ?? format.write(defaultValue),
      reloads: reloads, summary: summary, isValid: { read($0) != nil })
  }

  /// Returns the value that the command line gives for this key; nil if it gives none.
  public func given(_ text: String?) -> GivenValue? { text.map(entry.given) }
}

/// A value that the command line gives for a key.
public struct GivenValue: Sendable {
  let key: KeyEntry
  let text: String
}

/// The description of a key, independent of the type of its values.
public struct KeyEntry: Sendable {
  /// The section that contains the key; of a family of sections, with a placeholder: `Flow NAME`.
  public let section: String
  /// The word that all sections with this key begin with, each followed by its own name; nil for a single section.
  public let family: String?
  /// The name of the key in files.
  public let name: String
  /// The command-line option that overrides the key, without dashes; nil for none.
  public let flag: String?
  /// A description of the accepted values: "a whole number from 0 to 4294967295".
  public let expected: String
  /// The placeholder for a value in an option's help: "number".
  public let valueName: String
  /// The default as it would be written in a file, or described in words; empty for none.
  public let defaultText: String
  /// Whether a new value takes effect at a reload; if not, it does at a restart.
  public let reloads: Bool
  /// The purpose of the key, in one sentence.
  public let summary: String
  /// A closure that returns whether a string is a valid value.
  public let isValid: @Sendable (String) -> Bool

  /// Returns the value that the command line gives for this key.
  package func given(_ text: String) -> GivenValue { GivenValue(key: self, text: text) }

  /// Returns the name of the key's environment variable: `COORDINATORD_MAX_FLOWS` for `MaxFlows` and the prefix
  /// `COORDINATORD`.
  public func variable(prefix: String) -> String {
    var bytes = Array(prefix.utf8)
    for byte in name.utf8 {
      if byte.isASCIIUppercase { bytes.append(UInt8(ascii: "_")) }
      bytes.append(byte.asciiUppercased)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension KeyEntry {
  /// Returns a table of keys for programs that generate documentation and completions. Each line is a key, columns are
  /// separated by tabs, and the first line contains the column names.
  ///
  /// - Parameters:
  ///   - keys: the keys, in the order in which they are to be shown.
  ///   - prefix: the prefix of environment variables.
  /// - Returns: the lines, each with a line feed at its end.
  public static func table(of keys: [KeyEntry], prefix: String) -> String {
    let rows = keys.map { key in
      [
        key.section, key.name, key.flag.map { "--\($0)" } ?? "",
        key.family == nil ? key.variable(prefix: prefix) : "", key.defaultText, key.expected,
        key.reloads ? "reload" : "restart", key.summary,
      ]
    }
    let header = ["section", "key", "option", "variable", "default", "expected", "changes", "summary"]
    return ([header] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}
