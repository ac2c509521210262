import CoordinatorKit

extension JSONValue {
  /// The value as users write it: a string without quotation marks, everything else as JSON.
  package var plainText: String {
    switch self {
    case .string(let text): text.printable
    case .array(let elements) where elements.allSatisfy({ $0.string != nil }):
      elements.map(\.plainText).joined(separator: ", ")
    default: canonicalText.printable
    }
  }
}
