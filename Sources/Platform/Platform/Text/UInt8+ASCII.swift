extension UInt8 {
  /// Whether the byte is an ASCII digit.
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether the byte is an ASCII letter.
  package var isASCIILetter: Bool { isASCIILowercase || isASCIIUppercase }

  /// Whether the byte is an ASCII letter in lower case.
  package var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  /// Whether the byte is an ASCII letter in upper case.
  package var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  /// Whether the byte is ASCII white space: a blank, or a control character from the tab to the carriage return.
  package var isASCIISpace: Bool { self == UInt8(ascii: " ") || (0x09...0x0D).contains(self) }

  /// The byte, in lower case if it is an ASCII letter.
  package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// The byte, in upper case if it is an ASCII letter.
  package var asciiUppercased: UInt8 { isASCIILowercase ? self & 0xDF : self }

  /// The value of a hexadecimal digit; nil if the byte is not one.
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
