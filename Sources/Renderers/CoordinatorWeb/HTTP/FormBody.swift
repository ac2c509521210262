import CoordinatorTools

/// What a form sends: names and values in order, as `application/x-www-form-urlencoded`.
public struct FormBody: Sendable, Hashable {
  /// A name with its value.
  public struct Pair: Sendable, Hashable {
    /// The name of the control.
    public var name: String
    /// What was filled in.
    public var value: String
  }

  /// How many names and values there may be.
  public static let maximumCount = 10_000

  /// The names and values, in order.
  public private(set) var pairs: [Pair] = []

  /// Nothing.
  public init() {}

  /// Reads what was sent.
  ///
  /// - Parameter bytes: The body of a request, or its query.
  /// - Throws: `RequestFault` if it is not encoded properly, is no UTF-8, or holds too many values.
  public init(decoding bytes: some Collection<UInt8>) throws(RequestFault) {
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < Self.maximumCount else { throw RequestFault(.contentTooLarge, "too many values were sent") }
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append(Pair(name: try Self.text(sides[0]), value: sides.count == 2 ? try Self.text(sides[1]) : ""))
    }
  }

  /// The first value of a name; nil if it is not there.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// All values of a name, in order.
  ///
  /// - Parameter name: The name of the control.
  /// - Returns: Empty if it is not there.
  public func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  private static func text(_ bytes: some Collection<UInt8>) throws(RequestFault) -> String {
    let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8.space : $0 }
    guard let decoded = PercentEncoding.decode(spaced), let text = String(validating: decoded, as: UTF8.self) else {
      throw RequestFault(.badRequest, "what was sent is not encoded properly")
    }
    return text
  }
}

extension FormBody: ExpressibleByDictionaryLiteral {
  /// Names and values written in the source code.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0.0, value: $0.1) }
  }
}
