/// How long one transition waits for providers: 64 questions, and 20 s in all, since callers give up after 25 s.
struct ProviderPatience: Sendable {
  private static let questions = 64
  private static let time = Duration.seconds(20)

  private var count = 0
  private var begun: ContinuousClock.Instant?

  /// Returns whether another question may be asked, and counts it.
  mutating func allowsAnother(at now: ContinuousClock.Instant) -> Bool {
    count += 1
    let begun = begun ?? now
    self.begun = begun
    return count <= Self.questions && begun.duration(to: now) < Self.time
  }
}
