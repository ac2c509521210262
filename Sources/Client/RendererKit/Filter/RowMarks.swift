/// The parts of a row that match a typed text.
package struct RowMarks: Sendable, Hashable {
  /// The ranges of the characters of the title that match, in order; they do not overlap.
  package let title: [Range<Int>]
  /// The same for the subtitle.
  package let subtitle: [Range<Int>]

  /// Finds the parts.
  ///
  /// - Parameters:
  ///   - text: typed text.
  ///   - title: the row's title, as it is shown.
  ///   - subtitle: the row's subtitle, as it is shown.
  package init(_ text: String, title: String, subtitle: String? = nil) {
    let (title, subtitle) = (FoldedText(title), FoldedText(subtitle ?? ""))
    var marked: (title: Set<Int>, subtitle: Set<Int>) = ([], [])
    for word in FoldedText.words(of: text) {
      let (above, below) = (title.part(word), subtitle.part(word))
      if let above { marked.title.formUnion(title.characters(above)) }
      if let below { marked.subtitle.formUnion(subtitle.characters(below)) }
      if above == nil, below == nil { marked.title.formUnion(title.letters(word)) }
    }
    self.title = Self.ranges(of: marked.title)
    self.subtitle = Self.ranges(of: marked.subtitle)
  }

  private static func ranges(of characters: Set<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in characters.sorted() {
      if let last = ranges.indices.last, ranges[last].upperBound == index {
        ranges[last] = ranges[last].lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }
}

extension FoldedText {
  fileprivate func part(_ word: [UInt32]) -> Range<Int>? {
    scalars.withUnsafeBufferPointer { WordMatch.part(word, in: $0, $0.indices)?.range }
  }

  fileprivate func letters(_ word: [UInt32]) -> [Int] {
    WordMatch.letters(word, in: scalars, scalars.indices).map { characters[$0] }
  }

  /// Returns the characters that a range of scalars belongs to.
  fileprivate func characters(_ range: Range<Int>) -> ArraySlice<Int> { characters[range] }
}
