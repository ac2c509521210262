import RendererKit

/// A table of cells in columns as wide as their widest cell.
struct TextTable: Sendable {
  var titles: [String]
  var rows: [[String]]

  /// Returns the lines of the table, without trailing spaces.
  ///
  /// - Parameters:
  ///   - style: style of the titles.
  ///   - hasLegend: whether the titles are printed.
  /// - Returns: the lines, that of the titles first.
  func lines(style: TextStyle, hasLegend: Bool = true) -> [String] {
    let all = hasLegend ? [titles] + rows : rows
    let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    let lines = all.map { row in
      let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
    }
    return lines.enumerated().map { hasLegend && $0.offset == 0 ? style.quiet($0.element) : $0.element }
  }
}
