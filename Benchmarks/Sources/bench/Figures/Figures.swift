import Foundation

/// How figures are condensed, and how they are written.
enum Figures {
  /// The middle one; of an even number the mean of the two in the middle. 0 of none.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return 0 }
    guard sorted.count.isMultiple(of: 2), let lower = sorted.dropFirst(sorted.count / 2 - 1).first else { return middle }
    return (lower + middle) / 2
  }

  /// A time in nanoseconds, for people.
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e6: number(nanoseconds / 1e3) + " µs"
    case ..<1e9: number(nanoseconds / 1e6) + " ms"
    default: number(nanoseconds / 1e9) + " s"
    }
  }

  /// How often in a second.
  static func rate(_ count: Int, in nanoseconds: Double) -> String {
    "\(Int((Double(count) / nanoseconds * 1e9).rounded())) /s"
  }

  /// Three digits that count.
  static func number(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
