import CoordinatorBus
import CoordinatorClient
import DBus
import Languages

/// Follows what a front door shows: which flows run, where they are, and which can be started.
///
/// The daemon's signals say what to read again. An older daemon does not announce who comes and goes: that is read
/// whenever something else of the flow changes, and when ``refresh()`` asks for it.
public actor HomeWatch {
  /// What the front door shows, as it changes. Meant for a single reader, who skips what is outdated.
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

  /// Reads who is attached to the flows, and everything else, again.
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
      // What is told of running work several times a second is not worth reading a window again.
      guard message.member != "Progress", message.member != "Live", let tree = Contract.root(of: message.path) else {
        return HomeChange()
      }
      return HomeChange(windows: [tree])
    }
    listen(to: properties) { message in
      message.map { HomeChange(windows: Contract.root(of: $0.path).map { [$0] } ?? []) } ?? .everything
    }
    listen(to: owners) { message in
      // Asking a daemon that has left could start it again.
      message?.body.last?.string?.isEmpty == true ? nil : .everything
    }
  }

  /// Listens to signals. The closure returns what a signal changes, or nil if the daemon has left; it is passed nil for
  /// signals that were missed.
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

  /// Reads until nothing has changed meanwhile.
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
      // Where a lot happens, what a person sees need not change more often.
      try? await Task.sleep(for: .milliseconds(50))
    }
    isReading = false
  }

  private func failed(_ error: ClientError, reading former: HomeChange) {
    // The signal about its name says when the daemon is back.
    if error.isDaemonGone { post(.away) } else { end(error) }
  }

  private func post(_ news: HomeNews) {
    guard !isOver, news != last else { return }
    last = news
    continuation.yield(news)
  }
}
