/// A coding key that a type does not define itself: an array index, or the key of a class's superclass.
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

  /// The key that `superEncoder()` and `superDecoder()` use.
  static let superclass = PathKey(stringValue: "super")
}
