import TestBus

/// When to kill: the same moments for the same seed.
struct KillPlan {
  /// When a life of the daemon is to end.
  enum Moment: Sendable, Hashable {
    /// So long after its process was started, whether it serves by then or not.
    case started(Duration)
    /// So long after it has taken its name on the bus.
    case serving(Duration)
  }

  private var generator: SeededGenerator
  private let longest: Duration

  /// Moments at most so long after the daemon has taken its name.
  init(seed: UInt64, longest: Duration) { (generator, self.longest) = (SeededGenerator(seed: seed), longest) }

  /// Chooses the next moment: a fifth of them while the daemon starts, a fifth while it takes up its flows again, and the others
  /// while it is under load.
  ///
  /// - Parameter startUp: How long it takes to start, as far as is known.
  /// - Returns: The moment.
  mutating func next(startUp: Duration) -> Moment {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .started(startUp * Double.random(in: 0..<1, using: &generator))
    case 1: .serving(longest * 0.1 * Double.random(in: 0..<1, using: &generator))
    default: .serving(longest * Double.random(in: 0..<1, using: &generator))
    }
  }
}
