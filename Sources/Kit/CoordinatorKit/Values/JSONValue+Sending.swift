extension JSONValue {
  /// Whether every transport can say it: no null within an array, no number that is none, no text with a NUL.
  ///
  /// Recursive: ask for the ``depth`` first.
  var canBeSent: Bool {
    switch self {
    case .null, .boolean, .integer: true
    case .number(let number): number.isFinite
    case .string(let text): !text.utf8.contains(0)
    case .array(let elements): elements.allSatisfy { !$0.isNull && $0.canBeSent }
    case .object(let members): members.allSatisfy { !$0.key.utf8.contains(0) && $0.value.canBeSent }
    }
  }
}
