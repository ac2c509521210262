/// Telephone numbers as people write them: `112`, `+49 30 123456`, `(030) 123-456`.
enum TelephoneNumber {
  /// The maximum length, in code points, with separators.
  static let maximumLength = 40

  private static let separators = ByteSet(" -./")

  /// Returns whether a string has 3 to 15 digits (E.164) and otherwise only separators, one plus sign at the beginning,
  /// and pairs of parentheses that contain digits.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    var cursor = ByteCursor(text)
    var digits = 0
    var opened: Int?
    _ = cursor.skip("+")
    // A separator is neither the first nor the last character.
    var isComplete = false
    while let byte = cursor.peek {
      cursor.skipOne()
      if ByteSet.digits.contains(byte) {
        digits += 1
        isComplete = true
      } else if byte == UInt8(ascii: "("), opened == nil {
        opened = digits
        isComplete = false
      } else if byte == UInt8(ascii: ")"), let before = opened, digits > before {
        opened = nil
        isComplete = true
      } else if digits > 0, separators.contains(byte) {
        isComplete = false
      } else {
        return false
      }
    }
    return isComplete && opened == nil && (3...15).contains(digits)
  }
}
