import CNCurses
import Glibc
import Themes

/// The colors of a terminal. Like ncurses, it must only be used on one thread.
///
/// ncurses knows as many colors as terminfo says, usually 256. Terminals that show any color say so with `COLORTERM`
/// only. For these, numbers of the palette that nothing else here uses stand for tones: the capability that sets a color
/// says the tone instead of the number.
struct CursesColours {
  /// How many colors are sent.
  enum Depth: Sendable, Hashable {
    /// The eight of the palette.
    case palette
    /// The 256 that many terminals have.
    case cube
    /// Any, in place of numbers of the palette.
    case direct
    /// Any, as terminfo says.
    case native
  }

  private let depth: Depth
  /// The pairs of the tones that have been used.
  private var pairs: [RGBColor: Int16] = [:]
  /// The numbers that stand for tones, in the order of the tones: grays, which no tone is similar to.
  private static let numbers = Array(Int16(232)...255)
  /// The first pair that is not one of the palette.
  private static let firstPair: Int16 = 8

  init(isDirect: Bool) {
    let count = ccurses_colours()
    depth = count < 256 ? .palette : count > 256 ? .native : isDirect ? .direct : .cube
  }

  /// Returns the pair of a color on the default background.
  mutating func pair(of colour: Look.Colour) -> Int16 {
    guard case .tone(let color) = colour, depth != .palette else { return colour.paletteNumber }
    if let pair = pairs[color] { return pair }
    let place = pairs.count
    guard place < Self.numbers.count else { return colour.paletteNumber }
    let pair = Self.firstPair + Int16(place)
    let number: Int32 =
      switch depth {
      case .palette, .cube: Int32(color.cubeNumber)
      case .direct: Int32(Self.numbers[place])
      case .native: Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
      }
    guard ccurses_define(Int32(pair), number) else { return colour.paletteNumber }
    pairs[color] = pair
    if depth == .direct { sendTones() }
    return pair
  }

  /// Lets ncurses send the tones for their numbers, and everything else as terminals with 256 colors take it.
  private func sendTones() {
    let tones = pairs.sorted { $0.value < $1.value }.enumerated().map { place, tone in
      "%?%p1%{\(Self.numbers[place])}%=%t38;2;\(tone.key.red);\(tone.key.green);\(tone.key.blue)%e"
    }
    let others = "%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;"
    let text = "\u{1B}[" + tones.joined() + others + String(repeating: "%;", count: tones.count) + "m"
    // ncurses keeps the pointer; there are few tones.
    ccurses_set_colour_capability(strdup(text))
  }
}
