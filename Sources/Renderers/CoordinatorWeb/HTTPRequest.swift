import Languages
import Platform

/// A complete and well-formed request.
public struct HTTPRequest: Sendable, Hashable {
  /// The supported methods.
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
  }

  /// The method.
  public var method: Method
  /// The decoded segments of the path; none is empty, `.` or `..`. Empty for `/`.
  public var path: [String]
  /// The query. If a name occurs several times, its first value is used.
  public var query: [String: String]
  /// The header fields.
  public var headers: HTTPHeaders
  /// The body.
  public var body: [UInt8]

  /// Creates a request with the given parts.
  public init(
    method: Method, path: [String], query: [String: String] = [:], headers: HTTPHeaders = HTTPHeaders(),
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Whether the method is safe (RFC 9110, section 9.2.1): the request changes nothing.
  public var isSafe: Bool { method != .post }
}

/// The header fields of a request. Names are case-insensitive.
public struct HTTPHeaders: Sendable, Hashable {
  private var values: [String: [String]] = [:]

  /// Creates empty header fields.
  public init() {}

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: name of the field.
  ///   - value: value without leading and trailing white space.
  public mutating func add(_ name: String, _ value: String) {
    values[name.bytes.lowercased, default: []].append(value)
  }

  /// Returns all values of a field, in the order of the request.
  ///
  /// - Parameter name: name of the field.
  /// - Returns: the values; empty if the field is missing.
  public func all(_ name: String) -> [String] { values[name.bytes.lowercased] ?? [] }

  /// Returns the value of a field that occurs exactly once; nil otherwise.
  public subscript(name: String) -> String? {
    let all = all(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The cookies, in the order of the request. A name may occur several times.
  public var cookies: [(name: String, value: String)] {
    all("cookie").flatMap { $0.bytes.split(separator: ";") }.compactMap { pair in
      guard let (name, value) = pair.bytes.cut(at: "=") else { return nil }
      return (String(Substring(name.utf8.drop { $0 == .space })), String(value))
    }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates header fields from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}

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
