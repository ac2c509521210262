/// The clients of a root.
struct RootClients: Sendable {
  /// The calls that wait for the start or the end of the root.
  var waiters: [StartWaiter] = []
  /// The attached clients, by unique name.
  var renderers: [String: RendererCapabilities] = [:]

  /// The unique names of all clients.
  var senders: Set<String> { Set(renderers.keys).union(waiters.map(\.call.sender)) }

  /// Removes and returns the calls that wait for the start or for the end of the root.
  mutating func takeWaiters(for kind: StartWaiter.Kind) -> [StartWaiter] {
    let taken = waiters.filter { $0.kind == kind }
    // A new array, because the old one would keep its memory, and most flows have no waiters once they have started.
    waiters = waiters.filter { $0.kind != kind }
    return taken
  }
}
