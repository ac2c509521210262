import RendererKit

/// Starts the server for the phone when it is asked for, and ends it with the session.
actor PhoneDriver {
  private let tree: String
  private let bus: [String]
  private var server: PhoneServer?
  private var isOver = false

  /// Creates a driver without a server.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - bus: options of coordinator-web that select the daemon's bus.
  init(tree: String, bus: [String]) {
    self.tree = tree
    self.bus = bus
  }

  /// Starts a server, unless one is running.
  ///
  /// - Parameter report: closure called with the server's news.
  func start(_ report: @escaping @Sendable (Phone.News) -> Void) {
    guard server == nil, !isOver else { return }
    let server = PhoneServer(for: tree, bus: bus)
    self.server = server
    Task {
      for await news in server.news { report(news) }
      ended()
    }
  }

  /// Ends the server, and starts no other.
  func stop() {
    isOver = true
    server?.stop()
    server = nil
  }

  private func ended() {
    server?.stop()
    server = nil
  }
}
