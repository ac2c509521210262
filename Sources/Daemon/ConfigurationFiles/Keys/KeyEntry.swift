/// What a table of keys holds of each, whatever the type of its values.
public struct KeyEntry: Sendable {
  /// The section that it stands in.
  public let section: String
  /// Its name in files.
  public let name: String
  /// The option of the command line that goes before it, without dashes.
  public let flag: String?
  /// What a value looks like: "a whole number from 0 to 4294967295".
  public let expected: String
  /// What stands for a value in the help of an option: "number".
  public let valueName: String
  /// What holds if nobody says anything, as it would stand in a file, or in words; empty for nothing.
  public let defaultText: String
  /// Whether another value holds after a reload; if not, after a restart.
  public let reloads: Bool
  /// What it is for, in a sentence.
  public let summary: String
  /// Whether a text is one of its values.
  public let isValid: @Sendable (String) -> Bool

  /// The name of its environment variable: `COORDINATORD_MAX_FLOWS` for `MaxFlows` and the prefix `COORDINATORD`.
  public func variable(prefix: String) -> String {
    name.reduce(into: prefix) { result, letter in result += (letter.isUppercase ? "_" : "") + letter.uppercased() }
  }
}

extension KeyEntry {
  /// A table of keys for programs that write documentation and completions: a line each, columns separated by tabs, the first
  /// line their names.
  ///
  /// - Parameters:
  ///   - keys: the keys, in the order in which they are to be shown.
  ///   - prefix: what the names of environment variables begin with.
  /// - Returns: the lines, each ended.
  public static func table(of keys: [KeyEntry], prefix: String) -> String {
    let rows = keys.map { key in
      [
        key.section, key.name, key.flag.map { "--\($0)" } ?? "", key.variable(prefix: prefix), key.defaultText, key.expected,
        key.reloads ? "reload" : "restart", key.summary,
      ]
    }
    let header = ["section", "key", "option", "variable", "default", "expected", "changes", "summary"]
    return ([header] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}
