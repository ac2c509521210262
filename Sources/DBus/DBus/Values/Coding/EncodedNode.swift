/// What has been encoded so far at one place of the result.
///
/// A class, because several containers may fill the same place.
final class EncodedNode {
  private enum Kind {
    case nothing
    case value(Value)
    case object
    case list
  }

  private var kind = Kind.nothing
  private var members: [String: EncodedNode] = [:]
  private var elements: [EncodedNode] = []
  private var emptyElementType = SingleType.variant

  var count: Int { elements.count }

  func becomeObject() { kind = .object }

  func becomeList() { kind = .list }

  /// Returns the node of a member, which is created if necessary.
  func member(_ key: String) -> EncodedNode {
    if let node = members[key] { return node }
    let node = EncodedNode()
    members[key] = node
    return node
  }

  func appendElement() -> EncodedNode {
    let node = EncodedNode()
    elements.append(node)
    return node
  }

  /// Encodes `value` into this node.
  func encode<T: Encodable>(_ value: T, at path: [any CodingKey]) throws {
    if let basic = value as? any BasicValue {
      kind = .value(basic.basicValue)
      return
    }
    guard path.count <= WireLimits.depth else {
      throw EncodingError.invalidValue(value, .init(codingPath: path, debugDescription: "Nested too deep for a D-Bus message."))
    }
    try value.encode(to: NodeEncoder(node: self, codingPath: path))
    if let collection = T.self as? any BasicCollection.Type { emptyElementType = collection.elementType }
  }

  /// Returns the members as values; nil if this node is not an object.
  func object(at path: [any CodingKey]) throws -> [String: Value]? {
    guard case .object = kind else { return nil }
    var result: [String: Value] = [:]
    for (key, member) in members { result[key] = try member.value(at: path + [PathKey(stringValue: key)]) }
    return result
  }

  /// Returns the value of this node; nil if nothing or nil was encoded.
  private func value(at path: [any CodingKey]) throws -> Value? {
    switch kind {
    case .nothing: nil
    case .value(let value): value
    case .object: try object(at: path).map { .vardict($0) }
    case .list: try list(at: path)
    }
  }

  private func list(at path: [any CodingKey]) throws -> Value {
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      let path = path + [PathKey(intValue: index)]
      guard let value = try element.value(at: path) else {
        throw EncodingError.invalidValue(
          Any?.none as Any, .init(codingPath: path, debugDescription: "D-Bus has no value for nil in an array."))
      }
      values.append(value)
    }
    guard let type = values.first?.type else { return .array(of: emptyElementType, []) }
    if values.allSatisfy({ $0.isOf(type) }) { return .array(of: type, values) }
    return .array(of: .variant, values.map { .variant($0) })
  }
}
