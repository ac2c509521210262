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
    values[name.lowercased(), default: []].append(value)
  }

  /// Returns all values of a field, in the order of the request.
  ///
  /// - Parameter name: name of the field.
  /// - Returns: the values; empty if the field is missing.
  public func all(_ name: String) -> [String] { values[name.lowercased()] ?? [] }

  /// Returns the value of a field that occurs exactly once; nil otherwise.
  public subscript(name: String) -> String? {
    let all = all(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The cookies, in the order of the request. A name may occur several times.
  public var cookies: [(name: String, value: String)] {
    all("cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(parts[0].drop { $0 == " " }), String(parts[1]))
    }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Creates header fields from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}
