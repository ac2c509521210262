import Platform

/// The name of a language, such as `de` or `de-AT`.
///
/// Reads the names of locales (`de_AT.UTF-8@euro`, `sr@latin`, `C`) and BCP 47 (`zh-Hans-CN`, `ca-valencia`). Equal
/// languages are equal however they are written: a codeset and the currency `@euro` are dropped, and a script that is
/// written as a modifier becomes a script.
public struct LanguageTag: Sendable, Hashable {
  /// The language, such as `de`; `C` if nothing is to be translated.
  public let language: String
  /// The script, such as `Hans`.
  public let script: String?
  /// The region, such as `AT` or `419`.
  public let region: String?
  /// The part that distinguishes this language further, such as `valencia`; several variants are separated by hyphens.
  public let variant: String?

  /// English, the language of the originals.
  public static let english = LanguageTag(language: "en")
  /// The meaning of the locales `C` and `POSIX`: no translation.
  public static let untranslated = LanguageTag(language: "C")

  init(language: String, script: String? = nil, region: String? = nil, variant: String? = nil) {
    self.language = language
    self.script = script
    self.region = region
    self.variant = variant
  }

  /// Reads the name of a language or of a locale.
  ///
  /// - Parameter name: the name, in any case; `_` and `-` mean the same. BCP 47 extensions are dropped.
  /// - Throws: ``InvalidLanguageTag``.
  public init(_ name: String) throws(InvalidLanguageTag) {
    guard let tag = LanguageTagParser.parse(name) else { throw InvalidLanguageTag(name) }
    self = tag
  }

  /// Whether this asks for no translation.
  public var isUntranslated: Bool { language == "C" }

  /// The BCP 47 tag, such as `zh-Hans-CN`, for `<html lang>`. Without translation, the tag of the originals: `en`.
  public var bcp47: String {
    guard !isUntranslated else { return "en" }
    return [language, script, region, hasRegistrableVariant ? variant : nil].compactMap(\.self).joined(separator: "-")
  }

  private var hasRegistrableVariant: Bool {
    variant?.bytes.split(separator: "-").allSatisfy(LanguageTagParser.isRegistrableVariant) ?? true
  }
}

extension LanguageTag: CustomStringConvertible {
  /// The tag in a form that ``init(_:)`` reads; `C` without translation.
  public var description: String {
    guard !isUntranslated else { return language }
    guard let variant, !hasRegistrableVariant else { return bcp47 }
    return bcp47 + "@" + variant
  }
}

extension LanguageTag: Codable {
  /// Decodes a tag from a string.
  ///
  /// - Parameter decoder: the decoder.
  /// - Throws: `DecodingError` if the value is not a string, or the string does not name a language.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let tag = LanguageTagParser.parse(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the name of a language")
    }
    self = tag
  }

  /// Encodes the tag as a string.
  ///
  /// - Parameter encoder: the encoder.
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The error for a string that does not name a language.
public struct InvalidLanguageTag: Error, Sendable, Hashable, CustomStringConvertible {
  /// The string, truncated to 64 characters.
  public let name: String

  /// Creates an error.
  ///
  /// - Parameter name: the string.
  public init(_ name: String) { self.name = String(name.unicodeScalars.prefix(64)) }

  /// A message that says which form is expected.
  public var description: String { "'\(name)' is not the name of a language; expected one such as 'de' or 'de-AT'" }
}

extension LanguageTag {
  /// Returns the languages that the environment asks for, best first, by gettext's rules.
  ///
  /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not empty. `LANGUAGE`, a list separated by
  /// colons, overrides it, unless the locale is `C` or `POSIX`. Entries that do not name a language are skipped.
  ///
  /// - Parameter variable: returns the value of an environment variable.
  /// - Returns: the languages; empty if nothing is to be translated.
  public static func preferred(
    environment variable: (String) -> String? = Environment.value(of:)
  ) -> [LanguageTag] {
    func nonEmpty(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    guard let locale = nonEmpty("LC_ALL") ?? nonEmpty("LC_MESSAGES") ?? nonEmpty("LANG"), locale != "C", locale != "POSIX"
    else { return [] }
    let names = nonEmpty("LANGUAGE")?.bytes.split(separator: ":").map(String.init) ?? [locale]
    var tags: [LanguageTag] = []
    for tag in names.compactMap(LanguageTagParser.parse) {
      // In a list, `C` ends the list of wanted translations.
      if tag.isUntranslated { break }
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }
}

extension LanguageTag {
  /// The languages whose translations serve readers of this language, best first: `de-AT`, `de`. Begins with the tag itself.
  public var fallbacks: [LanguageTag] {
    var tags: [LanguageTag] = []
    func add(_ script: String?, _ region: String?, _ variant: String?) {
      let tag = LanguageTag(language: language, script: script, region: region, variant: variant)
      if !tags.contains(tag) { tags.append(tag) }
    }
    for variant in [variant, nil] {
      add(script, region, variant)
      if script != nil { add(script, nil, variant) }
      if region != nil { add(nil, region, variant) }
      // Catalogues of Chinese are named by region or by script, and users set either.
      if language == "zh" {
        if script == nil, let region { add(Self.chineseScript(of: region), nil, variant) }
        if let script { add(nil, script == "Hant" ? "TW" : "CN", variant) }
      }
      add(nil, nil, variant)
    }
    return tags
  }

  private static func chineseScript(of region: String) -> String {
    ["TW", "HK", "MO"].contains(region) ? "Hant" : "Hans"
  }
}

extension LanguageTag {
  private static let rightToLeftScripts: Set<String> = [
    "Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa",
  ]
  /// Languages whose usual script is written from right to left.
  private static let rightToLeftLanguages: Set<String> = [
    "ar", "arc", "ckb", "dv", "fa", "he", "iw", "ji", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
  ]

  /// Whether the language is written from right to left, for `<html dir>`.
  public var isRightToLeft: Bool {
    script.map(Self.rightToLeftScripts.contains) ?? Self.rightToLeftLanguages.contains(language)
  }
}

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
