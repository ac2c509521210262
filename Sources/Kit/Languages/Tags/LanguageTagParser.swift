/// Reads the names of languages and locales: `language[-script][-region][-variant…][.codeset][@modifier]`.
enum LanguageTagParser {
  /// No name in use is nearly as long. Bounds what is done with a string from a client.
  private static let maximumLength = 64

  /// Scripts that locales name by a modifier.
  private static let scripts = [
    "latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab", "hebrew": "Hebr",
  ]

  static func parse(_ name: String) -> LanguageTag? {
    guard name.utf8.count <= maximumLength, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    let (beforeModifier, modifier) = split(name[...], at: "@")
    let (tag, codeset) = split(beforeModifier, at: ".")
    guard modifier?.isEmpty != true, codeset?.isEmpty != true else { return nil }
    if tag == "C" || tag == "POSIX" { return .untranslated }
    guard var result = subtags(of: tag) else { return nil }
    if let modifier, modifier.lowercased() != "euro" {
      guard let modified = apply(modifier.lowercased(), to: result) else { return nil }
      result = modified
    }
    return result
  }

  /// Whether a variant has the form that BCP 47 asks for. Some modifiers of locales, such as `quot`, have not.
  static func isRegistrableVariant(_ variant: Substring) -> Bool {
    5...8 ~= variant.utf8.count || variant.utf8.count == 4 && variant.first.map(isDigit) == true
  }

  private static func subtags(of tag: Substring) -> LanguageTag? {
    var parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }[...]
    guard parts.allSatisfy({ 1...8 ~= $0.utf8.count && $0.allSatisfy(isAlphanumeric) }) else { return nil }
    guard let language = parts.popFirst(), 2...3 ~= language.utf8.count, language.allSatisfy(isLetter) else { return nil }
    var (script, region): (String?, String?) = (nil, nil)
    if let first = parts.first, first.utf8.count == 4, first.allSatisfy(isLetter) {
      script = first.prefix(1).uppercased() + first.dropFirst().lowercased()
      parts.removeFirst()
    }
    if let first = parts.first, isRegion(first) {
      region = first.uppercased()
      parts.removeFirst()
    }
    // From a subtag of one letter on, these are extensions, such as `u-ca-gregory`.
    let variants = parts.prefix { $0.utf8.count > 1 }
    guard variants.allSatisfy(isRegistrableVariant), parts.count - variants.count != 1 else { return nil }
    let variant = variants.isEmpty ? nil : variants.joined(separator: "-").lowercased()
    return LanguageTag(language: language.lowercased(), script: script, region: region, variant: variant)
  }

  private static func apply(_ modifier: String, to tag: LanguageTag) -> LanguageTag? {
    if let script = scripts[modifier], tag.script == nil {
      return LanguageTag(language: tag.language, script: script, region: tag.region, variant: tag.variant)
    }
    guard tag.variant == nil, modifier.allSatisfy(isAlphanumeric) else { return nil }
    return LanguageTag(language: tag.language, script: tag.script, region: tag.region, variant: modifier)
  }

  private static func isRegion(_ part: Substring) -> Bool {
    part.utf8.count == 2 ? part.allSatisfy(isLetter) : part.utf8.count == 3 && part.allSatisfy(isDigit)
  }

  private static func split(_ text: Substring, at separator: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: separator) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
  private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
  private static func isAlphanumeric(_ character: Character) -> Bool { isLetter(character) || isDigit(character) }
}
