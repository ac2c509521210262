import Foundation

/// Condenses and formats figures.
enum Figures {
  /// Returns the median: for an even number of values, the mean of the two in the middle; for none, 0.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return 0 }
    guard sorted.count.isMultiple(of: 2), let lower = sorted.dropFirst(sorted.count / 2 - 1).first else { return middle }
    return (lower + middle) / 2
  }

  /// Formats a time in nanoseconds.
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e6: number(nanoseconds / 1e3) + " µs"
    case ..<1e9: number(nanoseconds / 1e6) + " ms"
    default: number(nanoseconds / 1e9) + " s"
    }
  }

  /// Formats the number of operations per second.
  static func rate(_ count: Int, in nanoseconds: Double) -> String {
    "\(Int((Double(count) / nanoseconds * 1e9).rounded())) /s"
  }

  /// Formats a number with three significant digits.
  static func number(_ value: Double) -> String {
    let digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
