import Platform

/// The answer of a provider, on its way to the handler that does what it says. May be used from any thread; a
/// coordinator's handlers are called one at a time.
final class PendingAnswer: Sendable {
  /// The answer as a handler sees it.
  enum Content: Sendable {
    case decided(FlowDecision, ProvidedCoordinator.Source)
    case thrown(any Error)
    /// Nothing is to change.
    case nothing
  }

  private struct State: Sendable {
    var content: Content?
    var instance: FlowInstance?
    var server = ""
  }

  private let state = Lock(State())

  /// Leaves an answer for the handler that is called next.
  func leave(_ content: Content) { state.withLock { $0.content = content } }

  /// Returns the answer, once.
  func take() -> Content {
    state.withLock { $0.content.take() } ?? .thrown(ProviderTrouble.failed("the provider was not asked"))
  }

  /// Whether an answer waits for its handler.
  var isWaiting: Bool { state.withLock { $0.content != nil } }

  /// Records which instance the coordinator is, and which program decides for it, once that is known.
  func set(_ instance: FlowInstance, server: String) { state.withLock { ($0.instance, $0.server) = (instance, server) } }

  /// The well-known name of the program that decides for it.
  var server: String { state.withLock { $0.server } }

  /// The instance.
  func instance(at path: CoordinatorPath) -> FlowInstance {
    state.withLock { $0.instance } ?? FlowInstance(flow: "", path: path, startedAt: 0)
  }
}
