/// The cost of an operation against a number.
struct Curve: Sendable {
  /// The unit of the costs.
  enum Unit: Sendable {
    /// Nanoseconds.
    case time
    case bytes

    func text(_ value: Double) -> String {
      switch self {
      case .time: Figures.time(value)
      case .bytes:
        switch value {
        case ..<1_024: Figures.number(value) + " B"
        case ..<1_048_576: Figures.number(value / 1_024) + " KiB"
        default: Figures.number(value / 1_048_576) + " MiB"
        }
      }
    }
  }

  /// The name of the measurement.
  var title: String
  var unit: Unit
  var points: [(x: Double, y: Double)]

  /// The law that fits best.
  var law: Law { Law(of: points) }

  /// The law in words.
  var words: String {
    let law = law
    let last = points.last?.x ?? 1
    // A part that adds less than a tenth, even at the end, cannot be distinguished from noise.
    if law.each * last < law.fixed / 10 { return "constant: \(unit.text(law.fixed))" }
    if law.fixed < law.each * (points.first?.x ?? 1) / 10 { return "\(unit.text(law.each)) for each" }
    return "\(unit.text(law.fixed)), and \(unit.text(law.each)) for each"
  }

  /// The curve as a row of a table.
  func row(against number: String) -> Row {
    let ends = [points.first, points.last].compactMap { $0 }.map { "\(unit.text($0.y)) (\(Int($0.x)))" }
    return Row(
      what: "\(title), against \(number)", ours: ends.joined(separator: " … "), other: words,
      figure: law.deviation(of: points) * 100,
      unit: "%")
  }
}
