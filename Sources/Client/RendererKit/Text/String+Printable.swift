extension String {
  /// The string in one line, safe to write to a terminal: control characters and bidirectional overrides are removed,
  /// and line breaks and tabs become spaces.
  ///
  /// Screens come from flows and their values from users, so they must not be able to move the cursor or reorder the
  /// text.
  package var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == "\n" || scalar == "\t" { result += " " } else if scalar.isHarmless { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// The lines of the string, each ``printable``.
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
