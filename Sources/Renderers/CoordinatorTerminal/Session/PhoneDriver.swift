import RendererKit

/// Starts the server for the phone when it is asked for, and ends it with the session.
actor PhoneDriver {
  private let begin: @Sendable () -> PhoneServer
  private var server: PhoneServer?
  private var isOver = false

  /// Creates a driver without a server.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - bus: options of coordinator-web that select the daemon's bus.
  init(tree: String, bus: [String]) { self.init { PhoneServer(for: tree, bus: bus) } }

  /// Creates a driver without a server.
  ///
  /// - Parameter begin: closure that starts a server.
  init(begin: @escaping @Sendable () -> PhoneServer) { self.begin = begin }

  /// Starts a server, unless one is running.
  ///
  /// - Parameter report: closure called with the server's news.
  func start(_ report: @escaping @Sendable (Phone.News) -> Void) {
    guard server == nil, !isOver else { return }
    let server = begin()
    self.server = server
    Task {
      for await news in server.news {
        // Before it is reported, because whoever hears of it may start the next one.
        if case .ended = news { ended() }
        report(news)
      }
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
