import CNCurses
import Themes

/// The colors of a terminal. Like ncurses, it must only be used on one thread.
///
/// ncurses sends as many colors as terminfo says, usually 256; any color where ``TrueColour`` has given it another
/// description of the terminal, or if the terminal's own says so (`xterm-direct`).
struct CursesColours {
  /// How many colors are sent.
  enum Depth: Sendable, Hashable {
    /// The eight of the palette.
    case palette
    /// The 256 that many terminals have.
    case cube
    /// Any, as terminfo says.
    case native
  }

  private let depth: Depth
  /// The pairs of the tones that have been used.
  private var pairs: [RGBColor: Int16] = [:]
  /// The most tones that are told apart.
  private static let mostTones = 24
  /// The first pair that is not one of the palette.
  private static let firstPair: Int16 = 8

  init() {
    let count = ccurses_colours()
    depth = count < 256 ? .palette : count > 256 ? .native : .cube
  }

  /// Returns the pair of a color on the default background.
  mutating func pair(of colour: Look.Colour) -> Int16 {
    guard case .tone(let color) = colour, depth != .palette else { return colour.paletteNumber }
    if let pair = pairs[color] { return pair }
    let place = pairs.count
    guard place < Self.mostTones else { return colour.paletteNumber }
    let pair = Self.firstPair + Int16(place)
    let number: Int32 =
      switch depth {
      case .palette, .cube: Int32(color.cubeNumber)
      case .native: Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
      }
    guard ccurses_define(Int32(pair), number) else { return colour.paletteNumber }
    pairs[color] = pair
    return pair
  }
}
