import Platform
import TLS

/// The context that new connections use. It can be replaced while the server runs. Safe to use from any thread.
public final class TLSSource: Sendable {
  private let context: Lock<TLSContext>

  /// Creates a source with its first context.
  public init(_ context: TLSContext) { self.context = Lock(context) }

  /// The context for the next connection.
  public var current: TLSContext { context.withLock { $0 } }

  /// Replaces the context. Existing connections keep theirs.
  public func replace(with new: TLSContext) { context.withLock { $0 = new } }
}
