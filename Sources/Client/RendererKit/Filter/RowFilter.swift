import CoordinatorKit
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
