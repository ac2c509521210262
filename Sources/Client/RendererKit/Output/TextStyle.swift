import Platform

/// The capabilities that text may use: Unicode or ASCII for lines and bullets, with or without colors.
public struct TextStyle: Sendable, Hashable {
  /// Whether characters outside ASCII may be used for drawing.
  public var isUnicode: Bool
  /// Whether escape sequences for bold and colored text are supported and requested.
  public var isColoured: Bool

  /// Creates a style; by default plain ASCII without colors.
  public init(isUnicode: Bool = false, isColoured: Bool = false) {
    self.isUnicode = isUnicode
    self.isColoured = isColoured
  }

  /// Creates the style for the environment of a process.
  ///
  /// - Parameters:
  ///   - environment: environment of the process. `LC_ALL`, `LC_CTYPE` and `LANG` determine Unicode; `TERM` and `NO_COLOR`
  ///     determine colors.
  ///   - isTerminal: whether the output is a terminal; there are no colors otherwise.
  public init(environment: [String: String], isTerminal: Bool) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let codeset = locale.bytes.cut(at: ".")?.after.bytes.lowercased ?? ""
    isUnicode = codeset.bytes.hasPrefix("utf-8") || codeset.bytes.hasPrefix("utf8")
    let isWanted = environment["NO_COLOR"]?.isEmpty ?? true
    isColoured = isTerminal && isWanted && Self.understandsEscapes(environment)
  }

  /// Returns whether the terminal named by `TERM` supports escape sequences.
  public static func understandsEscapes(_ environment: [String: String]) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }

  /// Formats a heading.
  package func strong(_ text: String) -> String { escaped(text, "1") }

  /// Formats secondary text.
  package func quiet(_ text: String) -> String { escaped(text, "2") }

  /// Formats an error.
  package func alarming(_ text: String) -> String { escaped(text, "31") }

  /// Formats a warning.
  package func warning(_ text: String) -> String { escaped(text, "33") }

  private func escaped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
