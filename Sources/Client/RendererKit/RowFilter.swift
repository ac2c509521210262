import CoordinatorKit
import Languages
import Platform

/// The rows of a list, prepared for filtering while a user types.
///
/// Every typed word must match: as a part of the title, the subtitle or the group, or else as letters of the title that follow
/// each other with gaps, as in `fzf`. Case and the diacritics of Latin letters are ignored. The best matches come first, but
/// rows that belong to groups stay in the order of their list.
package struct RowFilter: Sendable {
  /// The searched texts of a row.
  package struct Row: Sendable, Hashable {
    package var title: String
    package var subtitle: String?
    package var group: String?

    package init(title: String, subtitle: String? = nil, group: String? = nil) {
      self.title = title
      self.subtitle = subtitle
      self.group = group
    }
  }

  /// The positions of the parts of a row among the scalars.
  private struct Place: Sendable {
    var title: Int
    var subtitle: Int
    var group: Int
    var end: Int
  }

  private var scalars: [UInt32] = []
  private var places: [Place] = []
  private var hasGroups = false

  /// Prepares rows, in the order of their list.
  package init(_ rows: some Sequence<Row>) {
    for row in rows {
      let title = scalars.count
      FoldedText.append(row.title, to: &scalars)
      let subtitle = scalars.count
      if let text = row.subtitle { FoldedText.append(text, to: &scalars) }
      let group = scalars.count
      if let text = row.group {
        FoldedText.append(text, to: &scalars)
        hasGroups = true
      }
      places.append(Place(title: title, subtitle: subtitle, group: group, end: scalars.count))
    }
  }

  /// Prepares the items of a list.
  package init(_ items: [Item]) {
    self.init(items.lazy.map { Row(title: $0.title, subtitle: $0.readableSubtitle, group: $0.group) })
  }

  /// Returns the rows that match a text.
  ///
  /// - Parameters:
  ///   - text: typed text. If it contains no word, all rows match.
  ///   - former: previous result of the same filter for another text; nil for none. If the new text begins with that one, only
  ///     the rows that matched it are examined.
  /// - Returns: the rows, best first, or in their order if they belong to groups.
  package func matches(_ text: String, after former: RowMatches? = nil) -> RowMatches {
    let words = FoldedText.words(of: text)
    guard !words.isEmpty else { return RowMatches(text: text, rows: Array(places.indices), best: nil, total: places.count) }
    let isNarrower = former.map { text.bytes.hasPrefix($0.text) && $0.total == places.count } ?? false
    // There are few scores, so the rows of each score are collected separately and need no sorting.
    var byScore = Array(repeating: [Int](), count: Self.bestScore * words.count + 1)
    var inOrder: [Int] = []
    scalars.withUnsafeBufferPointer { scalars in
      func look(at row: Int) {
        guard let score = score(of: places[row], words, in: scalars) else { return }
        byScore[score].append(row)
        if hasGroups { inOrder.append(row) }
      }
      // In the order of the list, because the former rows are in the order of their scores.
      if isNarrower, let former { former.rows.sorted().forEach(look) } else { places.indices.forEach(look) }
    }
    let best = byScore.last { !$0.isEmpty }?.first
    return RowMatches(text: text, rows: hasGroups ? inOrder : Array(byScore.reversed().joined()), best: best, total: places.count)
  }

  /// Returns the score of a row for all words; nil if a word does not match.
  private func score(of place: Place, _ words: [[UInt32]], in scalars: UnsafeBufferPointer<UInt32>) -> Int? {
    var sum = 0
    for word in words {
      guard let score = score(of: place, word, in: scalars) else { return nil }
      sum += score
    }
    return sum
  }

  private static let bestScore = 5

  /// Returns the score of a row for a word: the beginning of a word counts more than the middle, that counts more than single
  /// letters, and in each of these cases the title counts more than the other texts.
  private func score(of place: Place, _ word: [UInt32], in scalars: UnsafeBufferPointer<UInt32>) -> Int? {
    let title = WordMatch.part(word, in: scalars, place.title..<place.subtitle)
    if let title, title.isWordStart { return Self.bestScore }
    let rest =
      WordMatch.part(word, in: scalars, place.subtitle..<place.group)
      ?? WordMatch.part(word, in: scalars, place.group..<place.end)
    if let rest, rest.isWordStart { return 4 }
    if title != nil { return 3 }
    if rest != nil { return 2 }
    return WordMatch.hasLetters(word, in: scalars, place.title..<place.subtitle) ? 1 : nil
  }
}

/// The rows of a list that match a typed text.
package struct RowMatches: Sendable, Hashable {
  /// The typed text.
  package let text: String
  /// The indices of the rows that match, in the order in which they are shown.
  package let rows: [Int]
  /// The index of the row that matches best; nil if no row matches, or if no text was typed.
  package let best: Int?
  /// The number of all rows.
  package let total: Int

  init(text: String, rows: [Int], best: Int?, total: Int) {
    self.text = text
    self.rows = rows
    self.best = best
    self.total = total
  }

  /// Returns all rows of a list, for the time before any text is typed.
  ///
  /// - Parameter count: number of rows.
  /// - Returns: the rows, in the order of the list.
  package static func everything(_ count: Int) -> RowMatches {
    RowMatches(text: "", rows: Array(0..<max(count, 0)), best: nil, total: count)
  }

  /// Whether all rows are shown because no text was typed.
  package var isEverything: Bool { FoldedText.words(of: text).isEmpty }

  /// The number of matching rows, for users: "12 of 9000".
  package var count: String {
    // TRANSLATORS: How many rows of a list match what was typed, such as "12 of 9000".
    Text("{count} of {total}", ["count": DecimalNumber.text(of: rows.count), "total": DecimalNumber.text(of: total)]).string
  }

  /// Returns the parts of a row to mark.
  ///
  /// - Parameters:
  ///   - title: the row's title, as it is shown.
  ///   - subtitle: the row's subtitle, as it is shown.
  /// - Returns: the ranges of the matching characters.
  package func marks(title: String, subtitle: String? = nil) -> RowMarks { RowMarks(text, title: title, subtitle: subtitle) }
}

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

/// The position of a word in folded text.
struct WordMatch: Sendable, Hashable {
  /// The scalars that match.
  var range: Range<Int>
  /// Whether no letter or digit precedes them.
  var isWordStart: Bool

  /// Finds a word as a part of a text: at the beginning of a word if possible, otherwise at its first occurrence.
  static func part(_ word: [UInt32], in scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>) -> WordMatch? {
    guard let first = word.first, range.count >= word.count else { return nil }
    var found: WordMatch?
    for start in range.lowerBound...range.upperBound - word.count where scalars[start] == first {
      guard begins(word, at: start, scalars) else { continue }
      let isWordStart = start == range.lowerBound || !FoldedText.isOfWord(scalars[start - 1])
      let match = WordMatch(range: start..<start + word.count, isWordStart: isWordStart)
      if isWordStart { return match }
      if found == nil { found = match }
    }
    return found
  }

  private static func begins(_ word: [UInt32], at start: Int, _ scalars: UnsafeBufferPointer<UInt32>) -> Bool {
    for offset in 1..<max(word.count, 1) where scalars[start + offset] != word[offset] { return false }
    return true
  }

  /// Returns whether the letters of a word follow each other in a text, with other letters between them. A number must be in
  /// one piece, because its digits occur in too many other numbers.
  static func hasLetters(_ word: [UInt32], in scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>) -> Bool {
    guard !word.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    var next = 0
    for index in range where scalars[index] == word[next] {
      next += 1
      if next == word.count { return true }
    }
    return false
  }

  /// Finds the letters of a word that follow each other in a text, close together: ends where they are first complete, and
  /// begins as late as possible before that.
  static func letters(_ word: [UInt32], in scalars: [UInt32], _ range: Range<Int>) -> [Int] {
    var next = 0
    var end: Int?
    for index in range where next < word.count && scalars[index] == word[next] {
      next += 1
      if next == word.count { end = index }
    }
    guard let end else { return [] }
    var found: [Int] = []
    for index in (range.lowerBound...end).reversed() where next > 0 && scalars[index] == word[next - 1] {
      next -= 1
      found.append(index)
    }
    return found.reversed()
  }
}
