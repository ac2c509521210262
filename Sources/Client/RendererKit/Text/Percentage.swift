import Languages

/// The progress in whole per cent, rounded down, so that 100 % means that all work is done. Every renderer shows the same
/// number.
package struct Percentage: Sendable, Hashable {
  /// The number, from 0 to 100.
  package let number: Int

  /// Creates the percentage of a fraction, which may come from other programs and need not be between 0 and 1.
  package init(_ fraction: Double) {
    // Hundredths are not exact: 0.29 times 100 is slightly less than 29. The script of pages does the same.
    number = fraction.isFinite ? Int((min(max(fraction, 0), 1) * 100 + 1e-9).rounded(.down)) : 0
  }

  /// The words, such as "35%".
  package var text: String { Text("{percent}%", ["percent": number]).string }

  /// The words with the placeholder `{percent}` for the number.
  package static var pattern: String { Text("{percent}%").string }

  /// Returns the words for a fraction.
  package static func text(of fraction: Double) -> String { Percentage(fraction).text }
}
