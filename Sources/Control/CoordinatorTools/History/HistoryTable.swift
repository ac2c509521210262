import CoordinatorJournal

/// Entries of a history in columns, which grow with what comes.
struct HistoryTable {
  private static let titles = ["TIME", "WHO", "EVENT", "COORDINATOR", "REVISION", "OUTCOME"]

  private let style: HistoryStyle
  private let text: TextStyle
  private var widths: [Int] = []

  init(style: HistoryStyle, text: TextStyle) {
    self.style = style
    self.text = text
  }

  /// The lines of some more entries; the titles come before the first.
  mutating func lines(for entries: [HistoryEntry]) -> [String] {
    let rows = entries.map(style.columns)
    guard !rows.isEmpty else { return [] }
    let isFirst = widths.isEmpty
    if isFirst { widths = Self.titles.map(\.count) }
    for row in rows { widths = zip(widths, row).map { max($0, $1.count) } }
    return (isFirst ? [text.quiet(line(Self.titles))] : []) + rows.map(line)
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count)) }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
