/// The rows of a run as text.
struct Table {
  var sections: [(title: String, rows: [Row])]

  private static let heads = ["", "coordinatord", "beside", "ratio", "asked", ""]

  private func cells(_ row: Row) -> [String] {
    let figure =
      (row.unit == "×" ? Self.ratio(row.figure) : Figures.number(row.figure)) + (row.unit.isEmpty ? "" : " \(row.unit)")
    let asked: String
    switch row.target {
    case .atMost(let bound): asked = "≤ \(row.unit == "×" ? Self.ratio(bound) : Figures.number(bound)) \(row.unit)"
    case .atLeast(let bound): asked = "≥ \(row.unit == "×" ? Self.ratio(bound) : Figures.number(bound)) \(row.unit)"
    case nil: asked = ""
    }
    return [row.what, row.ours, row.other, figure, asked, row.isMet.map { $0 ? "yes" : "no" } ?? ""]
  }

  private static func ratio(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  /// The table for a terminal.
  var text: String {
    let all = sections.flatMap { $0.rows.map(cells) } + [Self.heads]
    let widths = Self.heads.indices.map { column in all.map { $0.dropFirst(column).first?.count ?? 0 }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined(separator: "  ")
    }
    return sections.map { section in
      "\(section.title)\n" + ([Self.heads] + section.rows.map(cells)).map { "  " + line($0) }.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// The table for Docs/performance.md: without targets.
  var summary: String {
    sections.map { section in
      """
      ### \(section.title)

      | | coordinatord | beside | ratio |
      |---|---|---|---|
      \(section.rows.map { "| " + cells($0).prefix(4).joined(separator: " | ") + " |" }.joined(separator: "\n"))
      """
    }.joined(separator: "\n\n")
  }

  /// The table for Docs/benchmarks.md.
  var markdown: String {
    sections.map { section in
      """
      ### \(section.title)

      | | coordinatord | beside | ratio | asked | met |
      |---|---|---|---|---|---|
      \(section.rows.map { "| " + cells($0).joined(separator: " | ") + " |" }.joined(separator: "\n"))
      """
    }.joined(separator: "\n\n")
  }
}
