import CoordinatorKit
import RendererKit

/// The context in which a screen is drawn.
struct Drawing: Sendable, Hashable {
  var symbols: Symbols
  /// The available space.
  var size: Size
  /// Whether the screen receives keys: it is the top screen, and nothing covers it.
  var isActive = true
  /// The counter of animation steps.
  var beat = 0
  /// The current time, for countdowns; nil draws none.
  var now: Timestamp?
  /// The color of highlighted elements.
  var accent = Look.Colour.magenta

  var columns: Int { size.columns }

  var focused: Look { Look(.bold, colour: accent) }

  func wrapped(_ text: String, _ look: Look = .plain, indent: Int = 0, target: Target? = nil) -> [Line] {
    text.wrapped(to: columns - indent).map {
      Line($0, look, target: target).indented(Span(String(repeating: " ", count: indent)))
    }
  }

  /// Returns the lines of a message, with a symbol for its level.
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
