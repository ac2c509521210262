import RendererKit

/// Starts the server for the phone on request, and ends it with the session.
actor PhoneDriver {
  private let begin: @Sendable () -> PhoneServer
  private var server: PhoneServer?
  private var isOver = false

  /// Creates a driver that starts coordinator-web on request.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - bus: options of coordinator-web that select the daemon's bus.
  init(tree: String, bus: [String]) { self.init { PhoneServer(for: tree, bus: bus) } }

  /// Creates a driver that starts a server by a closure.
  ///
  /// - Parameter begin: closure that starts a server.
  init(begin: @escaping @Sendable () -> PhoneServer) { self.begin = begin }

  /// Starts a server, unless one is running.
  ///
  /// - Parameter report: closure that receives the server's news.
  func start(_ report: @escaping @Sendable (Phone.News) -> Void) {
    guard server == nil, !isOver else { return }
    let server = begin()
    self.server = server
    Task {
      for await news in server.news {
        // Before the end is reported, because the receiver may start the next server.
        if case .ended = news { ended() }
        report(news)
      }
    }
  }

  /// Ends the server and prevents further starts.
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
