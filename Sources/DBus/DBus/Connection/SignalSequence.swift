/// An element of a ``SignalSequence``.
public enum SignalDelivery: Sendable, Hashable {
  /// A received signal.
  case signal(SignalMessage)
  /// Signals were dropped at this point because the reader was too slow.
  case gap
}

/// The signals that match a rule, in the order in which they arrived. Obtained from
/// ``Connection/signals(matching:bufferSize:)``.
///
/// The sequence is bounded: if the reader is too slow, the oldest signals are dropped and ``SignalDelivery/gap`` is
/// delivered. It is meant for one reader; with several, each signal goes to only one of them.
public struct SignalSequence: AsyncSequence, Sendable {
  /// The element type.
  public typealias Element = SignalDelivery
  /// The sequence never throws: a lost connection ends it.
  public typealias Failure = Never

  let buffer: SignalBuffer
  let token: SubscriptionToken

  /// Returns an iterator over the signals.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, token: token) }

  /// The iterator of a ``SignalSequence``.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: SignalBuffer
    let token: SubscriptionToken

    /// Returns the next signal; nil when the connection is lost or the task is cancelled.
    public mutating func next() async -> SignalDelivery? { await buffer.next(isolation: nil) }

    /// Returns the next signal without leaving the caller's actor; nil when the connection is lost or the task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SignalDelivery? {
      await buffer.next(isolation: actor)
    }
  }
}

/// A subscription, as the connection stores it.
struct Subscription {
  let rule: MatchRule
  let buffer: SignalBuffer
}

/// Ends a subscription when the last copy of its sequence has been released.
final class SubscriptionToken: Sendable {
  private let connection: Connection
  private let id: UInt64

  init(connection: Connection, id: UInt64) {
    self.connection = connection
    self.id = id
  }

  deinit {
    let (connection, id) = (connection, id)
    connection.loop.post { connection.assumeIsolated { $0.unsubscribe(id) } }
  }
}
