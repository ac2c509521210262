extension String {
  /// Breaks the text into lines of at most a number of columns, between words where possible.
  ///
  /// A line may always be broken next to wide characters. Spaces at a break are dropped; spaces at the beginning are
  /// kept.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrapped($0, to: Swift.max(columns, 1)) }
  }

  private static func wrapped(_ line: Substring, to columns: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var width = 0
    /// The last position where `current` may be broken, and the width of the text before it.
    var fallback: (index: String.Index, width: Int)?
    for character in line {
      let glyph = Glyph(character)
      if width + glyph.width > columns, !current.isEmpty {
        if character == " " {
          lines.append(current)
          (current, width, fallback) = ("", 0, nil)
          continue
        }
        if glyph.width < 2, let place = fallback {
          lines.append(String(current[..<place.index]).droppingSpacesAtEnd)
          current = String(current[place.index...])
          width -= place.width
        } else {
          lines.append(current.droppingSpacesAtEnd)
          (current, width) = ("", 0)
        }
        fallback = nil
      }
      // A line that follows a break does not start with a space.
      if character == " ", current.isEmpty, !lines.isEmpty { continue }
      current.append(character)
      width += glyph.width
      if character == " " || glyph.width == 2 { fallback = (current.endIndex, width) }
    }
    return lines + [current]
  }

  /// Returns the text if it fits, otherwise its beginning with an ellipsis.
  func truncated(to columns: Int, ellipsis: String) -> String {
    guard self.columns > columns else { return self }
    let room = columns - ellipsis.columns
    guard room >= 0 else { return "" }
    return prefix(columns: room).droppingSpacesAtEnd + ellipsis
  }

  /// Returns the longest prefix that fits into a number of columns.
  func prefix(columns: Int) -> String {
    var width = 0
    return String(
      prefix { character in
        width += Glyph(character).width
        return width <= columns
      })
  }

  /// Returns the text padded with trailing spaces to a number of columns.
  func padded(to columns: Int) -> String { self + String(repeating: " ", count: Swift.max(columns - self.columns, 0)) }

  private var droppingSpacesAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
