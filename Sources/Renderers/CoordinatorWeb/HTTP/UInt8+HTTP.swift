extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// Whether it is one of 0 to 9.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether it is an ASCII letter.
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }

  /// Whether it may stand in a `token` of RFC 9110: in a method or the name of a header field.
  var isToken: Bool { isDigit || isLetter || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}

extension ArraySlice<UInt8> {
  /// Without spaces and tabs at its ends.
  var trimmingSpace: ArraySlice<UInt8> {
    var rest = self
    while let first = rest.first, first == .space || first == .tab { rest.removeFirst() }
    while let last = rest.last, last == .space || last == .tab { rest.removeLast() }
    return rest
  }
}
