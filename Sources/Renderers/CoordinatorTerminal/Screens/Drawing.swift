import CoordinatorKit
import CoordinatorTools

/// What a screen is drawn with and into.
struct Drawing: Sendable, Hashable {
  var symbols: Symbols
  /// How much room there is.
  var size: Size
  /// Whether the screen takes keys: it is on top, and nothing covers it.
  var isActive = true
  /// Counts on while something moves.
  var beat = 0
  /// What stands out.
  var accent = Look.Colour.magenta

  var columns: Int { size.columns }

  var focused: Look { Look(.bold, colour: accent) }

  func wrapped(_ text: String, _ look: Look = .plain, indent: Int = 0, target: Target? = nil) -> [Line] {
    text.wrapped(to: columns - indent).map {
      Line($0, look, target: target).indented(Span(String(repeating: " ", count: indent)))
    }
  }

  /// A message, with a sign that says how serious it is.
  func message(_ level: ScreenMessage.Level, _ text: String, lead: Span = Span("")) -> [Line] {
    let sign =
      switch level {
      case .error: symbols.error
      case .warning: symbols.warning
      case .info: symbols.info
      }
    let look = Look(level == .info ? [] : .bold, colour: Look.Colour(level))
    let indent = lead.text.columns + sign.columns + 1
    return text.printable.wrapped(to: columns - indent).enumerated().map { index, line in
      let sign = index == 0 ? sign + " " : String(repeating: " ", count: sign.columns + 1)
      return Line([lead, Span(sign, look), Span(line, level == .info ? .plain : Look(colour: Look.Colour(level)))])
    }
  }
}
