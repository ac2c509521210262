extension [JSONValue] {
  /// Whether two entries are equal in JSON Schema.
  var haveEqualEntries: Bool {
    var seen: Set<[UInt8]> = []
    return contains { !seen.insert($0.identity).inserted }
  }
}

extension JSONValue {
  /// A byte sequence that is the same for two values exactly if they are equal in JSON Schema: numbers are compared by value,
  /// strings by code points, and null differs from an absent key. (Swift's `==` considers canonically equivalent strings
  /// equal.)
  var identity: [UInt8] { Array(text(omittingNulls: false).utf8) }

  /// Returns whether both are the same string, number or Boolean in JSON Schema.
  func isSameScalar(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer, .integer), (.integer, .number), (.number, .integer): integer == other.integer
    case (.number(let left), .number(let right)): left == right
    default: false
    }
  }
}
