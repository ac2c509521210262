import Foundation

extension CostComparison: CustomStringConvertible {
  /// A human-readable table, followed by what to do about it.
  public var description: String { ([Self.line(Self.heads)] + rows.map(line) + remarks).joined(separator: "\n") }

  private static let heads = ["a call of", "costs", "recorded", "now", "change"]
  private static let widths = [18, 16, 10, 10, 9]

  private static func line(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return column < 2 ? cell.0 + space : space + cell.0
    }.joined(separator: " ")
  }

  private func line(_ row: Row) -> String {
    let change = row.growth.map { String(format: "%+.1f %%", $0 * 100) } ?? ""
    let mark = row.growth.map { abs($0) > tolerance ? ($0 > 0 ? " grown" : " shrunk") : "" } ?? " ?"
    return Self.line([row.scenario, row.figure, Self.number(row.before), Self.number(row.now), change]) + mark
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
  }

  private var percent: String { Self.number(tolerance * 100) }

  private var remarks: [String] {
    var remarks: [String] = []
    if !differences.isEmpty {
      remarks.append("The figures were recorded elsewhere: \(differences.joined(separator: ", ")).")
    }
    if !incomparable.isEmpty { remarks.append("Not everything is recorded and measured: run `make costs-record`.") }
    if !grown.isEmpty {
      remarks.append(
        differences.isEmpty
          ? "Something costs over \(percent) % more. If that is worth it, run `make costs-record`, and say in the commit why."
          : "Something costs over \(percent) % more; that may be because of where this is, so it is no failure here.")
    }
    if !shrunk.isEmpty {
      remarks.append("Something costs over \(percent) % less: run `make costs-record`, so that it stays that way.")
    }
    return remarks
  }
}
