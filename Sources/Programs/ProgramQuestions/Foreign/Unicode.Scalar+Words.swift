extension Unicode.Scalar {
  /// Whether a word can begin with the scalar: a letter or a number.
  var beginsWord: Bool { properties.isAlphabetic || properties.numericType != nil }

  /// Whether the scalar belongs to a word: a letter, a number, a mark on one, or a joiner.
  var isWordPart: Bool { beginsWord || properties.isGraphemeExtend || self == "\u{200D}" }
}
