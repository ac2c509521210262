/// What a ``SignalSequence`` delivers.
public enum SignalDelivery: Sendable, Hashable {
  /// A signal.
  case signal(SignalMessage)
  /// Signals were dropped here, because they were not read fast enough.
  case gap
}

/// The signals that match a rule, in the order in which they came. Obtained from ``Connection/signals(matching:bufferSize:)``.
///
/// Bounded: when the reader is too slow, the oldest signals are dropped and ``SignalDelivery/gap`` is delivered. Meant for one
/// reader; of several, each signal goes to one.
public struct SignalSequence: AsyncSequence, Sendable {
  /// What is delivered.
  public typealias Element = SignalDelivery
  /// Nothing is thrown: a lost connection ends the sequence.
  public typealias Failure = Never

  let buffer: SignalBuffer
  let token: SubscriptionToken

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, token: token) }

  /// Reads a ``SignalSequence``.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: SignalBuffer
    let token: SubscriptionToken

    /// The next signal; nil when the connection is lost or the task is cancelled.
    public mutating func next() async -> SignalDelivery? { await buffer.next(isolation: nil) }

    /// The next signal, without leaving the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SignalDelivery? {
      await buffer.next(isolation: actor)
    }
  }
}

/// A subscription as the connection sees it.
struct Subscription {
  let rule: MatchRule
  let buffer: SignalBuffer
}

/// Ends a subscription when the last copy of its sequence is gone.
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
