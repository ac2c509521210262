import Languages
import Platform

/// The languages that a browser requests with `Accept-Language`.
///
/// Elements that are not a language with an optional weight are skipped, and the others are used.
///
/// Source: RFC 9110, section 12.5.4; RFC 4647, section 3.4 ("Lookup").
public struct AcceptedLanguages: Sendable, Hashable {
  /// A language range: a language, or `*`, which stands for every language that no other range names.
  private enum Range: Sendable, Hashable {
    case language(LanguageTag)
    case any
  }

  /// The requested ranges, best first.
  private let wanted: [Range]
  /// The named languages, and whether they are requested. A weight of 0 means that a language is not.
  private let named: [LanguageTag: Bool]

  /// Reads the values of the header field.
  ///
  /// - Parameter values: values of all header fields of that name, in the order of the request.
  public init(_ values: [String]) {
    let ranges = values.flatMap { $0.bytes.split(separator: ",") }.compactMap(Self.range)
    // Of equal weights, the first wins; the library does not promise a stable sort.
    let sorted = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
    wanted = sorted.filter { $0.element.weight > 0 }.map(\.element.range)
    var named: [LanguageTag: Bool] = [:]
    for (range, weight) in ranges {
      guard case .language(let tag) = range else { continue }
      named[tag] = weight > 0 || named[tag] == true
    }
    self.named = named
  }

  /// Whether the browser requests no language.
  public var isEmpty: Bool { wanted.isEmpty && named.isEmpty }

  /// Returns the language that serves the browser's user best.
  ///
  /// - Parameters:
  ///   - offered: languages to choose from.
  ///   - own: language to choose if the browser accepts any; nil for English.
  /// - Returns: the language of the first range that has one; nil if none has.
  public func best(of offered: [LanguageTag], preferring own: LanguageTag? = nil) -> LanguageTag? {
    let acceptable = offered.filter { !isRefused($0) }
    for range in wanted {
      switch range {
      case .language(let tag):
        if let match = tag.fallbacks.first(where: acceptable.contains) { return match }
      case .any:
        let others = acceptable.filter { named[$0] == nil }
        let preferred = (own?.fallbacks ?? []) + [.english]
        if let match = preferred.first(where: others.contains) ?? others.first { return match }
      }
    }
    return nil
  }

  /// Returns whether the nearest range that covers a language refuses it.
  private func isRefused(_ tag: LanguageTag) -> Bool {
    tag.fallbacks.lazy.compactMap { named[$0] }.first == false
  }

  /// Parses a range and its weight in thousandths; nil if the text has another form.
  private static func range(_ text: Substring) -> (range: Range, weight: Int)? {
    let parts = text.bytes.split(separator: ";", omittingEmptySubsequences: false).map(\.bytes.trimmed)
    guard let name = parts.first, let weight = weight(parts.dropFirst()) else { return nil }
    if name.bytes.equals("*") { return (.any, weight) }
    guard let tag = try? LanguageTag(String(name)), !tag.isUntranslated else { return nil }
    return (.language(tag), weight)
  }

  /// Parses the parameters of a range, which may only be a weight: `q=0.8`, with at most three decimals.
  private static func weight(_ parameters: ArraySlice<Substring>) -> Int? {
    guard let parameter = parameters.first else { return 1000 }
    guard parameters.count == 1, let number = parameter.bytes.lowercased.bytes.dropping(prefix: "q=") else { return nil }
    let (whole, decimals) = number.bytes.cut(at: ".") ?? (before: number, after: "")
    guard whole == "0" || whole == "1", decimals.utf8.count <= 3, decimals.utf8.allSatisfy(\.isASCIIDigit),
      let fraction = Int("\(decimals)" + String(repeating: "0", count: 3 - decimals.utf8.count))
    else { return nil }
    let weight = (whole == "1" ? 1000 : 0) + fraction
    return weight <= 1000 ? weight : nil
  }
}

extension HTTPHeaders {
  /// The languages that the browser requests.
  public var acceptedLanguages: AcceptedLanguages { AcceptedLanguages(all("accept-language")) }
}
