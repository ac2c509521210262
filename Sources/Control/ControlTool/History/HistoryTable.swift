import CoordinatorJournal
import RendererKit

/// A table of history entries whose columns widen as entries are added.
struct HistoryTable {
  private static let titles = ["TIME", "WHO", "WAY", "EVENT", "COORDINATOR", "REVISION", "OUTCOME"]

  private let style: HistoryStyle
  private let text: TextStyle
  private var widths: [Int] = []

  init(style: HistoryStyle, text: TextStyle) {
    self.style = style
    self.text = text
  }

  /// Returns the lines of further entries, preceded by the titles the first time.
  mutating func lines(for entries: [HistoryEntry]) -> [String] {
    let rows = entries.map(style.columns)
    guard !rows.isEmpty else { return [] }
    let isFirst = widths.isEmpty
    if isFirst { widths = Self.titles.map(\.count) }
    for row in rows { widths = zip(widths, row).map { max($0, $1.count) } }
    return (isFirst ? [text.quiet(line(Self.titles))] : [])
      + zip(entries, rows).flatMap { entry, row in [line(row)] + entry.failures.flatMap(Self.lines) }
  }

  /// Returns the lines below an entry that describe the failure.
  private static func lines(for failure: HistoryFailure) -> [String] {
    let subject = failure.flow == nil ? "failed in \(failure.coordinator)" : "\(failure.coordinator) failed"
    let reason = failure.reason.printableLines
    return ["  \(subject) (\(failure.code)): \(reason.first ?? "")".printable] + reason.dropFirst().map { "    \($0)" }
  }

  private func line(_ cells: [String]) -> String {
    let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count)) }
    let line = padded.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
