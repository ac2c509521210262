import CoordinatorKit
import Themes

/// The look of a cell. Most colors are those of the terminal's palette, so they suit dark and light backgrounds alike.
struct Look: Sendable, Hashable {
  /// A color of the letters.
  enum Colour: Sendable, Hashable {
    /// Colors of the palette.
    case red, green, yellow, blue, magenta, cyan
    /// White on black, regardless of the terminal's background: for codes that a camera reads.
    case paper
    /// A specific color; drawn as the most similar one that the terminal supports.
    case tone(RGBColor)
  }

  struct Traits: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    static let bold = Traits(rawValue: 1)
    static let dim = Traits(rawValue: 2)
    static let underlined = Traits(rawValue: 4)
    static let reversed = Traits(rawValue: 8)
  }

  /// The color; nil for the terminal's default.
  var colour: Colour?
  var traits: Traits

  init(_ traits: Traits = [], colour: Colour? = nil) {
    self.traits = traits
    self.colour = colour
  }

  static let plain = Look()
  static let strong = Look(.bold)
  static let quiet = Look(.dim)

  func with(_ more: Traits) -> Look { Look(traits.union(more), colour: colour) }
}

extension Look.Colour {
  /// The tone of an accent `#RRGGBB` that can be read on light and on dark backgrounds alike; nil if the string is
  /// malformed, or if the color is too gray to be noticed.
  init?(accent: String?) {
    guard let color = accent.flatMap({ RGBColor($0) }), color.paletteColour != nil else { return nil }
    self = .tone(color.tone)
  }

  init(_ level: ScreenMessage.Level) {
    switch level {
    case .error: self = .red
    case .warning: self = .yellow
    case .info: self = .cyan
    }
  }

  /// The number in the palette of eight colors.
  var paletteNumber: Int16 {
    switch self {
    case .red: 1
    case .green: 2
    case .yellow: 3
    case .blue: 4
    case .magenta: 5
    case .cyan: 6
    case .paper: 7
    case .tone(let color): (color.paletteColour ?? .magenta).paletteNumber
    }
  }

  /// Whether a button in the color looks like a destructive one.
  var readsAsDanger: Bool {
    switch self {
    case .red: true
    case .tone(let color): color.readsAsDanger
    default: false
    }
  }
}

extension RGBColor {
  /// The nearest tone with the same contrast on black and on white: about 4.5, which text needs.
  var tone: RGBColor { nearest(on: [.black, .white], 4.5) ?? self }

  /// The most similar color of the palette of eight; nil if the color is too gray.
  var paletteColour: Look.Colour? {
    let (red, green, blue) = (Int(red), Int(green), Int(blue))
    let low = min(red, green, blue)
    let span = max(red, green, blue) - low
    guard span >= 32 else { return nil }
    // Whether each channel is much closer to the strongest than to the weakest.
    let strong = [red, green, blue].map { ($0 - low) * 5 >= span * 2 }
    return switch (strong[0], strong[1], strong[2]) {
    case (true, false, false): .red
    case (true, true, false): .yellow
    case (false, true, false): .green
    case (false, true, true): .cyan
    case (false, false, true): .blue
    default: .magenta
    }
  }

  /// The number of the most similar color among the 256 that many terminals have: those of the cube of 6 × 6 × 6 colors.
  var cubeNumber: Int16 {
    let steps = [0, 95, 135, 175, 215, 255]
    func nearest(_ channel: UInt8) -> Int16 {
      let distances = steps.map { abs($0 - Int(channel)) }
      return Int16(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }
    return 16 + 36 * nearest(red) + 6 * nearest(green) + nearest(blue)
  }
}
