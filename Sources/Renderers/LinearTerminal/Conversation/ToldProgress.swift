import CoordinatorKit

/// The progress that was printed last, which decides whether newer progress is printed: a line is never redrawn, so only
/// what is worth reading, or hearing, is a line.
struct ToldProgress: Sendable, Hashable {
  /// The smallest increase of the fraction that is printed.
  private static let step = 0.1
  /// The shortest time between two lines, in microseconds.
  private static let pause: UInt64 = 5_000_000

  private let fraction: Double?
  private let text: String?
  private let time: Timestamp?

  /// Creates the progress.
  ///
  /// - Parameters:
  ///   - progress: progress that is printed.
  ///   - time: time at which it is printed; nil if it is not known.
  init(_ progress: CoordinatorKit.Progress, at time: Timestamp?) {
    fraction = progress.fraction
    text = progress.text
    self.time = time
  }

  /// Whether progress is worth another line.
  ///
  /// - Parameters:
  ///   - progress: progress now.
  ///   - now: current time; nil if it is not known.
  /// - Returns: whether it is.
  func isOutdated(by progress: CoordinatorKit.Progress, at now: Timestamp?) -> Bool {
    if let time, let now, now.microseconds < time.microseconds &+ Self.pause { return false }
    guard progress.text == text else { return true }
    // Sums of tenths are not exact.
    return abs((progress.fraction ?? 0) - (fraction ?? 0)) > Self.step - 0.001
  }
}
