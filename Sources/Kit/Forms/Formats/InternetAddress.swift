/// IP addresses as text, without zones and prefix lengths.
enum InternetAddress {
  /// Returns whether the bytes are an IPv4 address: four numbers from 0 to 255 without leading zeros (RFC 3986, which resolves
  /// an ambiguity of RFC 2673).
  static func isVersion4(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    for index in 0..<4 {
      if index > 0, !cursor.skip(".") { return false }
      let digits = cursor.prefix(of: .digits)
      guard (1...3).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
      guard digits.reduce(0, { $0 * 10 + Int($1 - UInt8(ascii: "0")) }) <= 255 else { return false }
    }
    return cursor.isAtEnd
  }

  /// Returns whether the bytes are an IPv6 address according to RFC 4291, section 2.2: eight groups of hexadecimal
  /// digits, of which `::` omits one or more, and of which an IPv4 address may replace the last two.
  static func isVersion6(_ text: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(text)
    var groups = 0
    var isShortened = false
    if cursor.skip(":") {
      guard cursor.skip(":") else { return false }
      isShortened = true
      if cursor.isAtEnd { return true }
    }
    while true {
      let start = cursor.rest
      let digits = cursor.prefix(of: .hexadecimal)
      if cursor.peek == UInt8(ascii: ".") {
        groups += 2
        return isVersion4(start) && isComplete(groups, isShortened)
      }
      guard (1...4).contains(digits.count) else { return false }
      groups += 1
      if cursor.isAtEnd { return isComplete(groups, isShortened) }
      guard cursor.skip(":") else { return false }
      guard cursor.skip(":") else { continue }
      guard !isShortened else { return false }
      isShortened = true
      if cursor.isAtEnd { return isComplete(groups, isShortened) }
    }
  }

  private static func isComplete(_ groups: Int, _ isShortened: Bool) -> Bool { isShortened ? groups < 8 : groups == 8 }
}
