import CoordinatorKit
import Platform

/// The wall clock of a test flow. It stands still until the test moves it.
///
/// ```swift
/// let flow = try await TestFlow.start { Offer() }
/// try await flow.advance(by: .seconds(30))
/// ```
public final class TestClock: Sendable {
  private let time: Lock<Timestamp>

  /// Creates a clock.
  ///
  /// - Parameter start: the time that it shows first.
  public init(at start: Timestamp = Timestamp(microseconds: 0)) { time = Lock(start) }

  /// The time that the clock shows.
  public var now: Timestamp { time.withLock(\.self) }

  /// Sets the clock, also back. Timers do not go off; see ``TestFlow/advance(by:)``.
  ///
  /// - Parameter now: the time to show.
  public func set(_ now: Timestamp) { time.withLock { $0 = now } }
}
