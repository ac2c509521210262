import Languages

/// Progress in per cent.
package enum Percentage {
  /// Returns a fraction in whole per cent, rounded down, so that 100 % means that everything is done.
  ///
  /// - Parameter fraction: a number from 0 to 1.
  /// - Returns: the words, such as "35%".
  package static func text(of fraction: Double) -> String {
    let percent = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 100).rounded(.down)) : 0
    return Text("{percent}%", ["percent": percent]).string
  }
}
