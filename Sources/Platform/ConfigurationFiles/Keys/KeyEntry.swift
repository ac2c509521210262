import Platform

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
