extension String {
  /// Breaks the text into lines of at most a number of columns, between words where possible.
  ///
  /// A line may always be broken next to wide characters. Spaces at a break are dropped; spaces at the beginning are
  /// kept.
  func wrapped(to columns: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let characters = Array(line)
      return characters.rows(of: columns).map { String(characters[$0]) }
    }
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

extension [Span] {
  /// Breaks the spans into lines of at most a number of columns, like ``Swift/String/wrapped(to:)``. Each character keeps
  /// its look.
  func wrapped(to columns: Int) -> [Line] {
    let characters = flatMap { span in span.text.map { (character: $0, span: span) } }
    return characters.map(\.character).rows(of: columns).map { row in
      var line = Line()
      for (character, span) in characters[row] {
        if let last = line.spans.indices.last, line.spans[last].look == span.look, line.spans[last].target == span.target,
          line.spans[last].link == span.link
        {
          line.spans[last].text.append(character)
        } else {
          var part = Span(String(character), span.look, target: span.target)
          part.link = span.link
          line.spans.append(part)
        }
      }
      return line
    }
  }
}

extension [Character] {
  /// Breaks the characters of one line into rows of at most a number of columns, and returns the range of each row.
  fileprivate func rows(of columns: Int) -> [Range<Int>] {
    let columns = Swift.max(columns, 1)
    var rows: [Range<Int>] = []
    var start = 0
    var width = 0
    /// The last position where the row may be broken, and the width of what precedes it.
    var fallback: (index: Int, width: Int)?
    func end(_ index: Int) {
      var end = index
      while end > start, self[end - 1] == " " { end -= 1 }
      rows.append(start..<end)
    }
    for (index, character) in enumerated() {
      let glyph = Glyph(character)
      if width + glyph.width > columns, index > start {
        if character == " " {
          rows.append(start..<index)
          (start, width, fallback) = (index + 1, 0, nil)
          continue
        }
        if glyph.width == 2, self.mayBreak(before: index) {
          end(index)
          (start, width) = (index, 0)
        } else if let place = fallback {
          end(place.index)
          start = place.index
          width -= place.width
        } else {
          end(index)
          (start, width) = (index, 0)
        }
        fallback = nil
      }
      // A row that follows a break does not start with a space.
      if character == " ", index == start, !rows.isEmpty {
        start = index + 1
        continue
      }
      width += glyph.width
      if character == " " || glyph.width == 2 && self.mayBreak(before: index + 1) { fallback = (index + 1, width) }
    }
    return rows + [start..<count]
  }

  /// Returns whether a line may end before a character that is next to a wide one: closing punctuation never begins a line, and
  /// opening punctuation never ends one.
  private func mayBreak(before index: Int) -> Bool {
    guard indices.contains(index), index > 0 else { return true }
    return !Character.neverFirst.contains(self[index]) && !Character.neverLast.contains(self[index - 1])
  }
}

extension Character {
  /// The characters that never begin a line of Chinese, Japanese or Korean.
  fileprivate static let neverFirst = Set<Character>(
    "。、．，：；！？）］｝」』】〕〉》〗〙〟’”·・ーゝゞヽヾ々〻‥…％‰℃ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ)]},.:;!?%")
  /// The characters that never end a line of Chinese, Japanese or Korean.
  fileprivate static let neverLast = Set<Character>("（［｛「『【〔〈《〖〘〝‘“([{￥＄￡")
}
