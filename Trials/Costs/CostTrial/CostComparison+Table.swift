import Foundation

extension CostComparison: CustomStringConvertible {
  /// A human-readable table, followed by advice.
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
      remarks.append("The figures were recorded on another platform: \(differences.joined(separator: ", ")).")
    }
    if !incomparable.isEmpty { remarks.append("Not all calls are both recorded and measured: run `make costs-record`.") }
    if !grown.isEmpty {
      remarks.append(
        differences.isEmpty
          ? "Some costs have grown by more than \(percent) %. If justified, run `make costs-record`, and explain it in the commit."
          : "Some costs have grown by more than \(percent) %; this may be due to the platform, so it is not a failure here.")
    }
    if !shrunk.isEmpty {
      remarks.append("Some costs have shrunk by more than \(percent) %: run `make costs-record` to keep it that way.")
    }
    return remarks
  }
}
