/// The header fields of a request. Names are compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable {
  private var values: [String: [String]] = [:]

  /// No fields.
  public init() {}

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - value: Its value, without white space at its ends.
  public mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  /// All values of a field, in the order in which they came.
  ///
  /// - Parameter name: The field's name.
  /// - Returns: Empty if the field is not there.
  public func all(_ name: String) -> [String] { values[name.lowercased()] ?? [] }

  /// The value of a field that is there just once; nil if it is not there, or twice.
  public subscript(name: String) -> String? {
    let all = all(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The cookies, in the order in which they came. One name may be there several times.
  public var cookies: [(name: String, value: String)] {
    all("cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(parts[0].drop { $0 == " " }), String(parts[1]))
    }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Fields written in the source code.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }
}
