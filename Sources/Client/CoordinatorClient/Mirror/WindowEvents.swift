/// The events of a ``WindowMirror``, in order.
public struct WindowEvents: AsyncSequence, Sendable {
  /// An event for the renderer.
  public typealias Element = WindowEvent
  /// The error thrown when the connection to the bus is lost, or when the daemon violates the contract.
  public typealias Failure = ClientError

  let mirror: WindowMirror

  /// Creates an iterator. All iterators of a mirror share one queue.
  public func makeAsyncIterator() -> Iterator { Iterator(mirror: mirror) }

  /// The iterator of ``WindowEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    let mirror: WindowMirror

    /// Returns the next event, or nil at the end and when the task is cancelled.
    ///
    /// - Throws: ``ClientError`` once, if the mirror failed.
    public mutating func next() async throws(ClientError) -> WindowEvent? { try await mirror.next() }

    /// Returns the next event, or nil at the end and when the task is cancelled.
    ///
    /// - Throws: ``ClientError`` once, if the mirror failed.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> WindowEvent? {
      try await mirror.next()
    }
  }
}
