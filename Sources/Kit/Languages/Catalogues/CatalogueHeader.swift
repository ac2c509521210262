/// The header of a catalogue: the translation of the empty text, with a field in each line.
struct CatalogueHeader {
  private static let characterSets: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"]

  /// The values by the lowercase name.
  private(set) var fields: [String: String] = [:]

  init() {}

  init(_ text: String) throws(MessageCatalogueError.Reason) {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = Self.trimmed(line[line.index(after: colon)...])
    }
    guard let name = characterSet else { return }
    guard Self.characterSets.contains(name.lowercased()) else { throw .characterSet(String(name.prefix(64))) }
  }

  func pluralRule() throws(MessageCatalogueError.Reason) -> PluralRule {
    guard let field = fields["plural-forms"] else { return .germanic }
    do throws(PluralRuleError) { return try PluralRule(field) } catch { throw .pluralRule(error) }
  }

  /// The character set in the field `Content-Type`, such as `text/plain; charset=UTF-8`; nil if it has none.
  private var characterSet: String? {
    for parameter in (fields["content-type"] ?? "").split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, Self.trimmed(parts[0]).lowercased() == "charset" { return Self.trimmed(parts[1]) }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
