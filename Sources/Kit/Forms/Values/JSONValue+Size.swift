extension JSONValue {
  /// The approximate size in bytes, in memory or in a message, within a small factor.
  package var roughSize: Int {
    switch self {
    case .null, .boolean, .integer, .number: 16
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(16) { $0 + $1.roughSize }
    case .object(let members): members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.roughSize }
    }
  }
}
