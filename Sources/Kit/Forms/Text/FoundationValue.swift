import Platform

/// The types of Foundation that its JSON coders treat specially. A flow may have them in its state, and what older
/// versions have stored of them must stay readable.
///
/// They are known by their names, because a program that uses none of them must not link Foundation. Whatever else
/// Foundation has, `Date` and `UUID` among them, encodes itself as the coders of Foundation would.
enum FoundationValue: Sendable {
  /// Base64.
  case data
  /// The address as a string.
  case url
  /// A number.
  case decimal

  /// Recognizes a type; nil if it is any other.
  ///
  /// - Parameter type: type that is encoded or decoded.
  init?<T>(_ type: T.Type) {
    // Comparing names costs more than coding a small value, so first what can be compared quickly.
    guard Self.sizes.contains(MemoryLayout<T>.size) else { return nil }
    let id = ObjectIdentifier(type)
    let known = Self.known.withLock { known in
      known[id]
        ?? {
          let kind = Self.kinds[_typeName(type)]
          known[id] = .some(kind)
          return kind
        }()
    }
    guard let known else { return nil }
    self = known
  }

  private static let sizes: Set<Int> = [8, 16, 20]
  private static let known = Lock<[ObjectIdentifier: FoundationValue?]>([:])
  private static let kinds: [String: FoundationValue] = [
    "FoundationEssentials.Data": .data, "FoundationEssentials.URL": .url, "FoundationEssentials.Decimal": .decimal,
    "Foundation.Data": .data, "Foundation.URL": .url, "Foundation.Decimal": .decimal,
  ]

  /// Encodes a value of this type.
  ///
  /// - Parameters:
  ///   - value: value to encode.
  ///   - path: where it is.
  /// - Returns: the encoded value; nil if JSON cannot represent it.
  /// - Throws: any error that `value` throws.
  func item(of value: some Encodable, at path: JSONCodingPath) throws -> JSONTextEncoder.Item? {
    switch self {
    case .data: return (value as? any Sequence<UInt8>).map { .string(Base64.encode(Array($0))) }
    case .decimal:
      let text = String(describing: value)
      // "NaN" is not a number of JSON.
      return (try? JSONParser<JSONTree>.parse(text.utf8)).flatMap { $0.isNumber ? .text(text) : nil }
    case .url:
      let node = JSONTextEncoder.Node()
      try value.encode(to: JSONTextEncoder(node: node, path: path))
      // An address that is relative to another one remains a pair of both.
      guard case .object(let members) = node.content, members.count == 1, let relative = members["relative"] else {
        return .node(node)
      }
      return relative
    }
  }

  /// Returns what the type itself decodes of JSON; nil if it cannot be one of its values.
  ///
  /// - Parameter tree: encoded value.
  /// - Returns: what its `init(from:)` expects.
  func plain(_ tree: JSONTree) -> JSONTree? {
    switch (self, tree) {
    case (.data, .string(let text)): Base64.decode(text).map { .array($0.map { .integer(Int64($0)) }) }
    case (.url, .string): .object(["relative": tree])
    case (.url, .object): tree
    case (.decimal, .integer(let value)): DecimalParts("\(value)")?.tree
    case (.decimal, .numeral(let text)): DecimalParts(text)?.tree
    default: nil
    }
  }
}

extension JSONTree {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .numeral: true
    default: false
    }
  }
}
