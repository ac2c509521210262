import CoordinatorKit

/// The look of a cell. Colors are those of the terminal's palette, so they suit dark and light backgrounds alike.
struct Look: Sendable, Hashable {
  /// A color of the palette, with its ANSI number.
  enum Colour: Int16, Sendable, Hashable, CaseIterable {
    case red = 1
    case green, yellow, blue, magenta, cyan
    /// White on black, whatever the terminal's background is: for codes that a camera reads.
    case paper
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
  /// Finds the palette color most similar to `#RRGGBB`; nil if the string is malformed or the color is too gray.
  init?(accent: String?) {
    guard let accent, accent.utf8.count == 7, accent.hasPrefix("#"), accent.dropFirst().allSatisfy(\.isHexDigit),
      let rgb = UInt32(accent.dropFirst(), radix: 16)
    else {
      return nil
    }
    let red = Int(rgb >> 16 & 0xFF)
    let green = Int(rgb >> 8 & 0xFF)
    let blue = Int(rgb & 0xFF)
    let low = min(red, green, blue)
    let span = max(red, green, blue) - low
    guard span >= 32 else { return nil }
    // Whether each channel is much closer to the strongest than to the weakest.
    let strong = [red, green, blue].map { ($0 - low) * 5 >= span * 2 }
    switch (strong[0], strong[1], strong[2]) {
    case (true, false, false): self = .red
    case (true, true, false): self = .yellow
    case (false, true, false): self = .green
    case (false, true, true): self = .cyan
    case (false, false, true): self = .blue
    default: self = .magenta
    }
  }

  init(_ level: ScreenMessage.Level) {
    switch level {
    case .error: self = .red
    case .warning: self = .yellow
    case .info: self = .cyan
    }
  }
}
