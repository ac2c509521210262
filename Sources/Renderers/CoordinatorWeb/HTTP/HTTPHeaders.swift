import Platform

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
