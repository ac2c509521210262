/// A coding key that is not one of a type's own: a position in an array, or what a class's superclass is kept under.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// The key that `superEncoder()` and `superDecoder()` stand for.
  static let superclass = PathKey(stringValue: "super")
}
