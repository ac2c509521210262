/// The clients that a root has.
struct RootClients: Sendable {
  /// Who waits for the start, or for the end.
  var waiters: [StartWaiter] = []
  /// The clients that have attached, by their unique names.
  var renderers: [String: RendererCapabilities] = [:]

  /// The unique names of all of them.
  var senders: Set<String> { Set(renderers.keys).union(waiters.map(\.call.sender)) }
}
