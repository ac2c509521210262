import Platform

/// The header of a catalogue: the translation of the empty text, with a field in each line.
struct CatalogueHeader {
  private static let characterSets: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968"]

  /// The values by the lowercase name.
  private(set) var fields: [String: String] = [:]

  init() {}

  init(_ text: String) throws(MessageCatalogueError.Reason) {
    for line in text.bytes.split(separator: "\n") {
      guard let (name, value) = line.bytes.cut(at: ":") else { continue }
      fields[name.bytes.lowercased] = String(value.bytes.trimmed)
    }
    guard let name = characterSet else { return }
    guard Self.characterSets.contains(name.bytes.lowercased) else {
      throw .characterSet(String(name.unicodeScalars.prefix(64)))
    }
  }

  func pluralRule() throws(MessageCatalogueError.Reason) -> PluralRule {
    guard let field = fields["plural-forms"] else { return .germanic }
    do throws(PluralRuleError) { return try PluralRule(field) } catch { throw .pluralRule(error) }
  }

  /// The character set in the field `Content-Type`, such as `text/plain; charset=UTF-8`; nil if it has none.
  private var characterSet: String? {
    for parameter in (fields["content-type"] ?? "").bytes.split(separator: ";").dropFirst() {
      guard let (name, value) = parameter.bytes.cut(at: "=") else { continue }
      if name.bytes.trimmed.bytes.lowercased == "charset" { return String(value.bytes.trimmed) }
    }
    return nil
  }
}
