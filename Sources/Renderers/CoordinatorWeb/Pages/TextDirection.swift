/// Which way a page is read: that of the first letter in its texts, as `dir=auto` does for one text.
///
/// The page as a whole needs it too, lest its buttons and marks stand where its texts end.
enum TextDirection: String, Sendable, Hashable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  /// The direction of the first of these texts that has a letter.
  init(of texts: String...) {
    for text in texts {
      for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
        self = scalar.isRightToLeft ? .rightToLeft : .leftToRight
        return
      }
    }
    self = .leftToRight
  }
}

extension Unicode.Scalar {
  /// Whether it is in a block of a script that is written from right to left.
  ///
  /// Source: Unicode Standard Annex #9, the ranges whose unassigned characters are R or AL; Swift does not tell the class itself.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
