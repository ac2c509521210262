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
