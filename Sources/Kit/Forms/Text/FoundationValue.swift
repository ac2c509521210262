import Platform

/// The types of Foundation that its JSON coders treat specially. A flow may have them in its state, and values that older
/// versions have stored must stay readable.
///
/// The types are recognized by their names, because a program that uses none of them must not link Foundation. All other types
/// of Foundation, among them `Date` and `UUID`, encode themselves as with the coders of Foundation.
enum FoundationValue: Sendable {
  /// Foundation's `Data`, encoded in Base64.
  case data
  /// Foundation's `URL`, encoded as a string.
  case url
  /// Foundation's `Decimal`, encoded as a number.
  case decimal

  /// Recognizes a type; returns nil for all other types.
  ///
  /// - Parameter type: the type that is encoded or decoded.
  init?<T>(_ type: T.Type) {
    // The size is compared first, because comparing names costs more than coding a small value.
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
  ///   - value: the value to encode.
  ///   - path: the path of the value.
  /// - Returns: the encoded value; nil if JSON cannot represent it.
  /// - Throws: any error that `value` throws.
  func item(of value: some Encodable, at path: JSONCodingPath) throws -> JSONTextEncoder.Item? {
    switch self {
    case .data: return (value as? any Sequence<UInt8>).map { .string(Base64.encode(Array($0))) }
    case .decimal:
      let text = String(describing: value)
      // JSON cannot represent "NaN".
      return (try? JSONParser<JSONTree>.parse(text.utf8)).flatMap { $0.isNumber ? .text(text) : nil }
    case .url:
      let node = JSONTextEncoder.Node()
      try value.encode(to: JSONTextEncoder(node: node, path: path))
      // A URL that is relative to another one stays a pair of both.
      guard case .object(let members) = node.content, members.count == 1, let relative = members["relative"] else {
        return .node(node)
      }
      return relative
    }
  }

  /// Converts a JSON value to the form that the type itself decodes; returns nil if it cannot be one of its values.
  ///
  /// - Parameter tree: the encoded value.
  /// - Returns: the value that the type's `init(from:)` expects.
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
