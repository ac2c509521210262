import CoordinatorBus
import CoordinatorClient
import DBus
import Languages

/// Follows the contents of a front door: the flows that run, their places, and the flows that can be started.
///
/// The daemon's signals determine what is read again. An older daemon does not announce changes of the renderers; they are read
/// whenever another part of the flow changes, and when ``refresh()`` requests it.
public actor HomeWatch {
  /// The contents of the front door, as they change. Meant for a single reader, which skips outdated contents.
  public nonisolated let news: AsyncStream<HomeNews>
  private let continuation: AsyncStream<HomeNews>.Continuation
  private var reader: HomeReader
  private var change = HomeChange.everything
  private var isReading = false
  private var isOver = false
  private var last: HomeNews?
  private var listeners: [Task<Void, Never>] = []

  /// Subscribes to the daemon's signals, and begins to read.
  ///
  /// - Parameters:
  ///   - daemon: client that the calls go through.
  ///   - language: language of the user; nil for English.
  /// - Returns: the watch.
  /// - Throws: `ClientError` if the bus refuses the subscriptions.
  public static func begin(of daemon: DaemonClient, language: LanguageTag?) async throws(ClientError) -> HomeWatch {
    let watch = HomeWatch(HomeReader(daemon: daemon, language: language))
    try await watch.subscribe(daemon.connection)
    await watch.refresh()
    return watch
  }

  private init(_ reader: HomeReader) {
    self.reader = reader
    (news, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { for listener in listeners { listener.cancel() } }

  /// Reads everything again, including the attached renderers.
  public func refresh() { take(.everything) }

  /// Stops following, and ends ``news``.
  public func close() {
    isOver = true
    for listener in listeners { listener.cancel() }
    listeners = []
    continuation.finish()
  }

  // MARK: Listening

  private func subscribe(_ connection: Connection) async throws(ClientError) {
    let manager: SignalSequence
    let routers: SignalSequence
    let properties: SignalSequence
    let owners: SignalSequence
    do {
      manager = try await connection.signals(
        matching: MatchRule(
          sender: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface))
      routers = try await connection.signals(
        matching: MatchRule(
          sender: Contract.busName, pathNamespace: Contract.flowsPath, interface: Contract.routerInterface))
      properties = try await connection.signals(
        matching: MatchRule(
          sender: Contract.busName, pathNamespace: Contract.flowsPath, interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged", arguments: [0: Contract.routerInterface]))
      owners = try await connection.signals(
        matching: MatchRule(
          sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
          arguments: [0: Contract.busName]))
    } catch {
      throw ClientError(error)
    }
    listen(to: manager) { message in
      switch message?.member {
      case "FlowsChanged": HomeChange(flows: true)
      case nil: .everything
      default: HomeChange(trees: true)
      }
    }
    listen(to: routers) { message in
      guard let message else { return .everything }
      // Running work reports several times a second, which does not justify reading a window again.
      guard message.member != "Progress", message.member != "Live", let tree = Contract.root(of: message.path) else {
        return HomeChange()
      }
      return HomeChange(windows: [tree])
    }
    listen(to: properties) { message in
      message.map { HomeChange(windows: Contract.root(of: $0.path).map { [$0] } ?? []) } ?? .everything
    }
    listen(to: owners) { message in
      // Calling a daemon that has left could start it again.
      message?.body.last?.string?.isEmpty == true ? nil : .everything
    }
  }

  /// Listens to signals. The closure returns the change that a signal causes, or nil if the daemon has left; its argument is
  /// nil for missed signals.
  private func listen(to signals: SignalSequence, _ change: @escaping @Sendable (SignalMessage?) -> HomeChange?) {
    listeners.append(
      Task { [weak self] in
        for await delivery in signals {
          let message: SignalMessage? = if case .signal(let message) = delivery { message } else { nil }
          await self?.take(change(message))
        }
        await self?.connectionLost()
      })
  }

  private func connectionLost() {
    guard !Task.isCancelled else { return }
    end(.connection(.disconnected))
  }

  private func end(_ error: ClientError) {
    guard !isOver else { return }
    post(.failed(error))
    close()
  }

  // MARK: Reading

  private func take(_ new: HomeChange?) {
    guard let new else { return post(.away) }
    change.add(new)
    guard !isReading, !isOver, !change.isEmpty else { return }
    isReading = true
    Task { await self.readAll() }
  }

  /// Reads until no further change has arrived meanwhile.
  private func readAll() async {
    while !change.isEmpty, !isOver {
      let now = change
      change = HomeChange()
      var reader = reader
      do throws(ClientError) {
        try await reader.read(now)
        self.reader = reader
        post(.home(reader.home))
      } catch {
        failed(error, reading: now)
      }
      // When many changes arrive, people do not need more frequent updates.
      try? await Task.sleep(for: .milliseconds(50))
    }
    isReading = false
  }

  private func failed(_ error: ClientError, reading former: HomeChange) {
    // A NameOwnerChanged signal reports the daemon's return.
    if error.isDaemonGone { post(.away) } else { end(error) }
  }

  private func post(_ news: HomeNews) {
    guard !isOver, news != last else { return }
    last = news
    continuation.yield(news)
  }
}

/// A report of a ``HomeWatch``.
public enum HomeNews: Sendable, Hashable {
  /// The contents of the front door from now on.
  case home(Home)
  /// The daemon has left the bus. It may come back.
  case away
  /// Reports end, for this reason.
  case failed(ClientError)
}
