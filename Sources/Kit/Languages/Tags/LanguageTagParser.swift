import Platform

/// Reads the names of languages and locales: `language[-script][-region][-variant…][.codeset][@modifier]`.
enum LanguageTagParser {
  /// The maximum length in bytes; names in use are much shorter. Bounds the work for a string from a client.
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
    if let modifier, modifier.bytes.lowercased != "euro" {
      guard let modified = apply(modifier.bytes.lowercased, to: result) else { return nil }
      result = modified
    }
    return result
  }

  /// Whether a variant has the form that BCP 47 requires. Some modifiers of locales, such as `quot`, do not have it.
  static func isRegistrableVariant(_ variant: Substring) -> Bool {
    5...8 ~= variant.utf8.count || variant.utf8.count == 4 && variant.utf8.first.map(\.isASCIIDigit) == true
  }

  private static func subtags(of tag: Substring) -> LanguageTag? {
    var parts = tag.bytes.replacing("_", with: "-").bytes.split(separator: "-", omittingEmptySubsequences: false)[...]
    guard parts.allSatisfy({ 1...8 ~= $0.utf8.count && $0.utf8.allSatisfy(isAlphanumeric) }) else { return nil }
    guard let language = parts.popFirst(), 2...3 ~= language.utf8.count, language.utf8.allSatisfy(\.isASCIILetter) else {
      return nil
    }
    var (script, region): (String?, String?) = (nil, nil)
    if let first = parts.first, first.utf8.count == 4, first.utf8.allSatisfy(\.isASCIILetter) {
      script = Substring(first.utf8.prefix(1)).bytes.uppercased + Substring(first.utf8.dropFirst()).bytes.lowercased
      parts.removeFirst()
    }
    if let first = parts.first, isRegion(first) {
      region = first.bytes.uppercased
      parts.removeFirst()
    }
    // A subtag of one letter begins the extensions, such as `u-ca-gregory`.
    let variants = parts.prefix { $0.utf8.count > 1 }
    guard variants.allSatisfy(isRegistrableVariant), parts.count - variants.count != 1 else { return nil }
    let variant = variants.isEmpty ? nil : variants.joined(separator: "-").bytes.lowercased
    return LanguageTag(language: language.bytes.lowercased, script: script, region: region, variant: variant)
  }

  private static func apply(_ modifier: String, to tag: LanguageTag) -> LanguageTag? {
    if let script = scripts[modifier], tag.script == nil {
      return LanguageTag(language: tag.language, script: script, region: tag.region, variant: tag.variant)
    }
    guard tag.variant == nil, modifier.utf8.allSatisfy(isAlphanumeric) else { return nil }
    return LanguageTag(language: tag.language, script: tag.script, region: tag.region, variant: modifier)
  }

  private static func isRegion(_ part: Substring) -> Bool {
    part.utf8.count == 2
      ? part.utf8.allSatisfy(\.isASCIILetter) : part.utf8.count == 3 && part.utf8.allSatisfy(\.isASCIIDigit)
  }

  private static func split(_ text: Substring, at separator: String) -> (Substring, Substring?) {
    guard let (before, after) = text.bytes.cut(at: separator) else { return (text, nil) }
    return (before, after)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }
}
