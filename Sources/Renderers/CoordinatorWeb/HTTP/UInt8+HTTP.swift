import Platform

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Whether the byte is allowed in a `token` (RFC 9110, section 5.6.2), such as a method or the name of a header
  /// field.
  var isToken: Bool { isASCIIDigit || isASCIILetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension ArraySlice<UInt8> {
  /// The slice without leading and trailing spaces and tabs.
  var trimmingSpace: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == .space || first == .tab { rest.removeFirst() }
    while let last = rest.last, last == .space || last == .tab { rest.removeLast() }
    return rest
  }
}
