import Foundation

/// Curves against the same number, as a picture.
struct Plot: Sendable {
  /// The name of its file, without the extension.
  var name: String
  /// The name of the number.
  var number: String
  var curves: [Curve]

  /// The picture. Both axes are logarithmic. Dots are measured values, and lines are the laws that fit best.
  var svg: String {
    let width = Panel.width * curves.count
    let body = curves.enumerated().map { Panel(curve: $1, number: number, left: $0 * Panel.width).svg }.joined(separator: "\n")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(Panel.height)" width="\(width)" height="\(Panel.height)" \
      font-family="sans-serif" font-size="12" role="img" aria-label="\(Panel.escaped(label))">
      <rect width="\(width)" height="\(Panel.height)" fill="#ffffff"/>
      \(body)
      </svg>

      """
  }

  private var label: String { curves.map { "\($0.title) against \(number): \($0.words)" }.joined(separator: "; ") }
}

/// The picture of one curve.
private struct Panel {
  static let width = 400
  static let height = 300
  private static let (margin, top, bottom) = (66.0, 48.0, 252.0)

  let curve: Curve
  let number: String
  let left: Int

  private var horizontal: Scale {
    Scale(curve.points.map(\.x), from: Double(left) + Self.margin, to: Double(left + Self.width) - 16)
  }
  private var vertical: Scale { Scale(curve.points.map(\.y), from: Self.bottom, to: Self.top) }

  var svg: String {
    let (horizontal, vertical, law) = (horizontal, vertical, curve.law)
    var lines: [String] = [
      text(Double(left) + Self.margin, 20, curve.title, extra: #" font-weight="bold""#),
      text(Double(left) + Self.margin, 37, curve.words, extra: ##" fill="#8a3b00""##),
      text(Double(left + Self.width) - 16, 290, number, extra: #" text-anchor="end""#),
    ]
    for tick in horizontal.ticks {
      let x = horizontal.place(tick)
      lines.append(line(x, Self.top, x, Self.bottom, "#dddddd"))
      lines.append(text(x, Self.bottom + 18, Self.count(tick), extra: #" text-anchor="middle""#))
    }
    for tick in vertical.ticks {
      let y = vertical.place(tick)
      lines.append(line(Double(left) + Self.margin, y, Double(left + Self.width) - 16, y, "#dddddd"))
      lines.append(text(Double(left) + Self.margin - 6, y + 4, curve.unit.text(tick), extra: #" text-anchor="end""#))
    }
    let steps = (0...60).map { horizontal.value(at: Double($0) / 60) }
    let path = steps.map { "\(Self.short(horizontal.place($0))),\(Self.short(vertical.place(law.cost(of: $0))))" }
    lines.append(
      ##"<polyline points="\##(path.joined(separator: " "))" fill="none" stroke="#c25a00" stroke-width="1.5" stroke-dasharray="5 4"/>"##
    )
    for point in curve.points {
      lines.append(
        ##"<circle cx="\##(Self.short(horizontal.place(point.x)))" cy="\##(Self.short(vertical.place(point.y)))" r="4" fill="#1f5fa8"/>"##
      )
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String) -> String {
    #"<path d="M\#(Self.short(x1)) \#(Self.short(y1))L\#(Self.short(x2)) \#(Self.short(y2))" stroke="\#(colour)"/>"#
  }

  private func text(_ x: Double, _ y: Double, _ text: String, extra: String = "") -> String {
    #"<text x="\#(Self.short(x))" y="\#(Self.short(y))"\#(extra)>\#(Self.escaped(text))</text>"#
  }

  private static func short(_ number: Double) -> String { String(format: "%.1f", number) }

  private static func count(_ number: Double) -> String {
    number >= 1e6 ? "\(Int(number / 1e6)) M" : number >= 1e3 ? "\(Int(number / 1e3)) k" : "\(Int(number))"
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}

/// A logarithmic axis that covers some numbers.
private struct Scale {
  /// The powers of ten at its ends.
  private let (low, high): (Double, Double)
  private let (from, to): (Double, Double)

  init(_ numbers: [Double], from: Double, to: Double) {
    let (least, most) = (log10(numbers.min() ?? 1), log10(numbers.max() ?? 10))
    low = floor(least + 1e-9)
    high = max(ceil(most - 1e-9), low + 1)
    (self.from, self.to) = (from, to)
  }

  var ticks: [Double] { stride(from: low, through: high, by: 1).map { pow(10, $0) } }

  func value(at part: Double) -> Double { pow(10, low + (high - low) * part) }

  func place(_ number: Double) -> Double {
    let part = (log10(max(number, 1e-9)) - low) / (high - low)
    return from + (to - from) * min(max(part, 0), 1)
  }
}
