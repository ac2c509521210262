import Languages

/// The rows of a list that match a typed text.
package struct RowMatches: Sendable, Hashable {
  /// The typed text.
  package let text: String
  /// The indices of the rows that match, in the order in which they are shown.
  package let rows: [Int]
  /// The index of the row that matches best; nil if none does, or if no text was typed.
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
