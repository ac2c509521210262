import CNCurses
import Themes

/// The colors of a terminal. Like ncurses, it must only be used on one thread.
///
/// ncurses supports the number of colors in terminfo, usually 256. It supports all colors if ``TrueColour`` has provided
/// another description of the terminal, or if the terminal's own description does so (`xterm-direct`).
struct CursesColours {
  /// The number of colors that are used.
  enum Depth: Sendable, Hashable {
    /// The eight colors of the palette.
    case palette
    /// The 256 colors that many terminals support.
    case cube
    /// All colors, according to terminfo.
    case native
  }

  private let depth: Depth
  /// The pairs of the tones that have been used.
  private var pairs: [RGBColor: Int16] = [:]
  /// The maximum number of tones that are distinguished.
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
