extension JSONValue {
  /// Whether every transport can represent the value: it contains no null in an array, no non-finite number, and no
  /// string with a NUL.
  ///
  /// Recursive, so check ``depth`` first.
  package var canBeSent: Bool {
    switch self {
    case .null, .boolean, .integer: true
    case .number(let number): number.isFinite
    case .string(let text): !text.utf8.contains(0)
    case .array(let elements): elements.allSatisfy { !$0.isNull && $0.canBeSent }
    case .object(let members): members.allSatisfy { !$0.key.utf8.contains(0) && $0.value.canBeSent }
    }
  }
}
