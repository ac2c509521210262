/// How text may be written where it goes to: lines and bullets in Unicode or ASCII, with or without colours.
public struct TextStyle: Sendable, Hashable {
  /// Whether lines may be drawn with characters outside ASCII.
  public var isUnicode: Bool
  /// Whether escape sequences for bold and coloured text are understood and wanted.
  public var isColoured: Bool

  /// A style with both parts given; plain ASCII by default.
  public init(isUnicode: Bool = false, isColoured: Bool = false) {
    self.isUnicode = isUnicode
    self.isColoured = isColoured
  }

  /// What the environment of a process asks for.
  ///
  /// - Parameters:
  ///   - environment: `LC_ALL`, `LC_CTYPE` and `LANG` decide about Unicode, `TERM` and `NO_COLOR` about colours.
  ///   - isTerminal: Whether the text goes to a terminal; there are no colours anywhere else.
  public init(environment: [String: String], isTerminal: Bool) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let codeset = locale.split(separator: ".", maxSplits: 1).dropFirst().first?.lowercased() ?? ""
    isUnicode = codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
    let isWanted = environment["NO_COLOR"]?.isEmpty ?? true
    isColoured = isTerminal && isWanted && Self.understandsEscapes(environment)
  }

  /// Whether the terminal that the environment names understands escape sequences at all.
  public static func understandsEscapes(_ environment: [String: String]) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }

  /// A heading.
  func strong(_ text: String) -> String { escaped(text, "1") }

  /// Something that is not in the foreground.
  func quiet(_ text: String) -> String { escaped(text, "2") }

  /// Something that went wrong.
  func alarming(_ text: String) -> String { escaped(text, "31") }

  /// Something that may go wrong.
  func warning(_ text: String) -> String { escaped(text, "33") }

  private func escaped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
