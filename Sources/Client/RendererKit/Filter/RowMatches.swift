import Languages

/// The rows of a list that match what a user typed.
package struct RowMatches: Sendable, Hashable {
  /// What was typed.
  package let text: String
  /// The indices of the rows that match, in the order in which they are shown.
  package let rows: [Int]
  /// The index of the row that matches best; nil if none does, or if nothing was typed.
  package let best: Int?
  /// The number of all rows.
  package let total: Int

  init(text: String, rows: [Int], best: Int?, total: Int) {
    self.text = text
    self.rows = rows
    self.best = best
    self.total = total
  }

  /// Returns all rows of a list, as long as nothing is typed.
  ///
  /// - Parameter count: the number of rows.
  /// - Returns: the rows, in the order of the list.
  package static func everything(_ count: Int) -> RowMatches {
    RowMatches(text: "", rows: Array(0..<max(count, 0)), best: nil, total: count)
  }

  /// Whether the rows are all there are because nothing was typed.
  package var isEverything: Bool { FoldedText.words(of: text).isEmpty }

  /// How many rows match, for users: "12 of 9000".
  package var count: String {
    // TRANSLATORS: How many rows of a list match what was typed, such as "12 of 9000".
    Text("{count} of {total}", ["count": DecimalNumber.text(of: rows.count), "total": DecimalNumber.text(of: total)]).string
  }

  /// Returns the parts of a row that match, to be marked.
  ///
  /// - Parameters:
  ///   - title: the row's title, as it is shown.
  ///   - subtitle: the row's subtitle, as it is shown.
  /// - Returns: the ranges of their characters.
  package func marks(title: String, subtitle: String? = nil) -> RowMarks { RowMarks(text, title: title, subtitle: subtitle) }
}
