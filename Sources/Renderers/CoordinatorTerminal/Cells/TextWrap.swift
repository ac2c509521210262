extension String {
  /// The text in lines of at most so many columns, broken between words where that is possible.
  ///
  /// Between wide characters a line may always be broken. Spaces at a break are dropped, those at the beginning are kept.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrapped($0, to: Swift.max(columns, 1)) }
  }

  private static func wrapped(_ line: Substring, to columns: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var width = 0
    /// The last place where `current` may be broken: how much of it goes before, and the width of that.
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
      // What follows a break needs no space to begin with.
      if character == " ", current.isEmpty, !lines.isEmpty { continue }
      current.append(character)
      width += glyph.width
      if character == " " || glyph.width == 2 { fallback = (current.endIndex, width) }
    }
    return lines + [current]
  }

  /// The text if it fits, else its beginning with an ellipsis.
  func truncated(to columns: Int, ellipsis: String) -> String {
    guard self.columns > columns else { return self }
    let room = columns - ellipsis.columns
    guard room >= 0 else { return "" }
    return prefix(columns: room).droppingSpacesAtEnd + ellipsis
  }

  /// As many characters from the beginning as fit.
  func prefix(columns: Int) -> String {
    var width = 0
    return String(
      prefix { character in
        width += Glyph(character).width
        return width <= columns
      })
  }

  /// The text with spaces after it, at least so many columns wide.
  func padded(to columns: Int) -> String { self + String(repeating: " ", count: Swift.max(columns - self.columns, 0)) }

  private var droppingSpacesAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
