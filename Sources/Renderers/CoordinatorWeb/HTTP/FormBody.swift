import Platform
import RendererKit

/// The ordered names and values of a form, encoded as `application/x-www-form-urlencoded` (URL standard).
public struct FormBody: Sendable, Hashable {
  /// A name and its value.
  public struct Pair: Sendable, Hashable {
    /// The name of the control.
    public var name: String
    /// The value of the control.
    public var value: String
  }

  /// The maximum number of pairs.
  public static let maximumCount = 10_000

  /// The names and values, in order.
  public private(set) var pairs: [Pair] = []

  /// Creates an empty form.
  public init() {}

  /// Decodes a form.
  ///
  /// - Parameter bytes: body or query of a request.
  /// - Throws: ``RequestFault`` if the encoding is invalid, the text is not UTF-8, or there are too many values.
  public init(decoding bytes: some Collection<UInt8>) throws(RequestFault) {
    for part in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < Self.maximumCount else { throw RequestFault(.contentTooLarge, "too many values were sent") }
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append(Pair(name: try Self.text(sides[0]), value: sides.count == 2 ? try Self.text(sides[1]) : ""))
    }
  }

  /// Returns the first value of a name; nil if there is none.
  public subscript(name: String) -> String? { pairs.first { $0.name.bytes.equals(name) }?.value }

  /// Returns all values of a name, in order.
  ///
  /// - Parameter name: name of the control.
  /// - Returns: the values; empty if there are none.
  public func all(_ name: String) -> [String] { pairs.filter { $0.name.bytes.equals(name) }.map(\.value) }

  private static func text(_ bytes: some Collection<UInt8>) throws(RequestFault) -> String {
    let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8.space : $0 }
    guard let decoded = PercentEncoding.decode(spaced), let text = String(validating: decoded, as: UTF8.self) else {
      throw RequestFault(.badRequest, "the form is not encoded properly")
    }
    // No browser sends a typed NUL, and no message on the bus can contain one.
    guard !decoded.contains(0) else { throw RequestFault(.badRequest, "the form contains NUL") }
    return text
  }
}

extension FormBody: ExpressibleByDictionaryLiteral {
  /// Creates a form from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { Pair(name: $0.0, value: $0.1) }
  }
}
