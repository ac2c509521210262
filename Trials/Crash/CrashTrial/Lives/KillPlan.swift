import TestBus

/// The moments of the kills, which are the same for the same seed.
struct KillPlan {
  /// The moment at which a life of the daemon ends.
  enum Moment: Sendable, Hashable {
    /// This long after the process was started, whether it serves by then or not.
    case started(Duration)
    /// This long after the daemon has taken its bus name.
    case serving(Duration)
  }

  private var generator: SeededGenerator
  private let longest: Duration

  /// Creates a plan whose moments are at most `longest` after the daemon has taken its name.
  init(seed: UInt64, longest: Duration) { (generator, self.longest) = (SeededGenerator(seed: seed), longest) }

  /// Chooses the next moment: one fifth of them while the daemon starts, one fifth while it restores its flows, and the
  /// others under load.
  ///
  /// - Parameter startUp: how long the daemon takes to start, as far as is known.
  /// - Returns: the moment.
  mutating func next(startUp: Duration) -> Moment {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .started(startUp * Double.random(in: 0..<1, using: &generator))
    case 1: .serving(longest * 0.1 * Double.random(in: 0..<1, using: &generator))
    default: .serving(longest * Double.random(in: 0..<1, using: &generator))
    }
  }
}
