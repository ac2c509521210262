/// Counts potential aliases without parsing: `*` at the start of a word, followed by a name.
enum AliasCount {
  /// The number of aliases that cannot expand to more than a few times the file, whatever they refer to.
  static let limit = 8

  static func isHarmless(_ text: String) -> Bool {
    var count = 0
    var isAtStart = true
    var isAfterStar = false
    for byte in text.utf8 {
      if isAfterStar, isName(byte) {
        count += 1
        if count > limit { return false }
      }
      isAfterStar = isAtStart && byte == UInt8(ascii: "*")
      isAtStart = isSeparator(byte)
    }
    return true
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "["), UInt8(ascii: "{"),
      UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "-"), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x80...:
      true
    default: false
    }
  }
}
