import Platform

extension String {
  /// The string in one line, safe to write to a terminal: control characters and bidirectional overrides are removed, and line
  /// breaks and tabs become spaces.
  ///
  /// Screens come from flows and their values from users, so they must not be able to move the cursor or reorder the text.
  package var printable: String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == "\n" || scalar == "\t" { result += " " } else if scalar.isHarmless { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// The lines of the string, each ``printable``.
  package var printableLines: [String] {
    bytes.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
  }

  /// The lines of a verbatim text, each ``printable``, with tabs expanded to columns that are multiples of eight.
  package var verbatimLines: [String] {
    bytes.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let parts = line.bytes.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).printable }
      return parts.dropFirst().reduce(parts.first ?? "") { result, part in
        result + String(repeating: " ", count: 8 - result.count % 8) + part
      }
    }
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
