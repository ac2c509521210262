/// How long one event waits for providers, and how many questions they are asked about it.
struct ProviderPatience: Sendable {
  private static let maxQuestions = 64

  private let time: Duration
  private var count = 0
  private var begun: ContinuousClock.Instant?

  /// Creates the patience with an event that no provider has been asked about.
  ///
  /// - Parameter time: how long the event waits in all.
  init(_ time: Duration) { self.time = time }

  /// Counts another question.
  ///
  /// - Returns: how long it may wait for its answer; nil if it must not be asked.
  mutating func timeForAnother(at now: ContinuousClock.Instant) -> Duration? {
    count += 1
    let begun = begun ?? now
    self.begun = begun
    let left = time - begun.duration(to: now)
    return count <= Self.maxQuestions && left > .zero ? left : nil
  }
}
