/// The base direction of a page: that of the first letter in its texts, as `dir=auto` determines it for one text (HTML
/// standard, "The dir attribute").
///
/// The page needs a separate direction, because otherwise its buttons and marks would be on the wrong side of its texts.
enum TextDirection: String, Sendable, Hashable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  /// Determines the direction of the first text that contains a letter.
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
  /// Whether the scalar is in a block of a right-to-left script.
  ///
  /// Source: Unicode Standard Annex #9, the ranges whose unassigned characters default to R or AL. Swift does not
  /// expose the bidirectional class.
  fileprivate var isRightToLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}
