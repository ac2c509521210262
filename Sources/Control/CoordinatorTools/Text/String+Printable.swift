extension String {
  /// The text in one line, safe to write to a terminal: whatever controls one is left out, and line breaks become spaces.
  ///
  /// Screens come from flows and their values from users, so nothing in them may move the cursor or turn the text around.
  package var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == "\n" || scalar == "\t" { result += " " } else if scalar.isHarmless { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// The lines of the text, each ``printable``.
  package var printableLines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
  }
}

extension Unicode.Scalar {
  fileprivate var isHarmless: Bool {
    switch properties.generalCategory {
    case .control, .surrogate, .lineSeparator, .paragraphSeparator: false
    default: !(0x202A...0x202E).contains(value) && !(0x2066...0x2069).contains(value)
    }
  }
}
