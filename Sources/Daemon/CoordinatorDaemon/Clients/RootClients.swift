/// The clients of a root.
struct RootClients: Sendable {
  /// The calls that wait for the start or the end of the root.
  var waiters: [StartWaiter] = []
  /// The attached clients, by unique name.
  var renderers: [String: RendererCapabilities] = [:]

  /// The unique names of all clients.
  var senders: Set<String> { Set(renderers.keys).union(waiters.map(\.call.sender)) }
}
