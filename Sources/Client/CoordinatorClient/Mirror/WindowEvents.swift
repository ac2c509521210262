/// What a ``WindowMirror`` tells its renderer, in order.
public struct WindowEvents: AsyncSequence, Sendable {
  /// One thing to do.
  public typealias Element = WindowEvent
  /// What is thrown when the bus is lost, or the daemon does not keep to the contract.
  public typealias Failure = ClientError

  let mirror: WindowMirror

  /// Starts to read.
  public func makeAsyncIterator() -> Iterator { Iterator(mirror: mirror) }

  /// Reads ``WindowEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    let mirror: WindowMirror

    /// The next event; nil at the end, and when the task is cancelled.
    public mutating func next() async throws(ClientError) -> WindowEvent? { try await mirror.next() }

    /// The next event; nil at the end, and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> WindowEvent? {
      try await mirror.next()
    }
  }
}
