import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Follows one flow tree for all browsers that show it.
actor TreeWatch {
  private typealias Waiter = (condition: @Sendable (TreeView) -> Bool, continuation: CheckedContinuation<Void, Never>)

  /// So many events may wait for a page that does not read. Then its connection ends, and it asks again.
  private static let longestBacklog = 64
  /// How long an answer waits for what it has set off.
  private static let patience = Duration.seconds(5)

  private let mirror: WindowMirror
  /// What is known; nil until the mirror has told for the first time.
  private(set) var view: TreeView?
  private var listeners: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
  private var waiters: [Int: Waiter] = [:]
  private var number = 0
  private var reader: Task<Void, Never>?
  /// How many answers of our own browsers are on their way.
  private var answering = 0

  /// Attaches to a flow tree.
  ///
  /// - Parameters:
  ///   - tree: The path of the root coordinator.
  ///   - daemon: The daemon.
  /// - Returns: The watch.
  /// - Throws: `ClientError`.
  static func attach(
    to tree: ObjectPath, of daemon: DaemonClient
  ) async throws(ClientError) -> TreeWatch {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "web")
    let watch = TreeWatch(mirror: mirror)
    await watch.start()
    return watch
  }

  private init(mirror: WindowMirror) {
    self.mirror = mirror
  }

  private func start() {
    reader = Task { [mirror, weak self] in
      do throws(ClientError) {
        for try await event in mirror.events { await self?.take(event) }
      } catch .malformedAnswer {
        await self?.cannotShow()
      } catch {
        // The bus is lost, and the server ends.
      }
    }
  }

  /// Stops to follow the tree, and tells the daemon.
  func close() async {
    reader?.cancel()
    for listener in listeners.values { listener.finish() }
    await mirror.close()
  }

  /// Waits until something holds of the tree, but not for ever.
  ///
  /// - Parameter condition: What is waited for. A tree that has ended is not waited for.
  /// - Returns: What is known then.
  @discardableResult
  func wait(until condition: @escaping @Sendable (TreeView) -> Bool = { _ in true }) async -> TreeView? {
    if let view, view.isOver || condition(view) { return view }
    number += 1
    let own = number
    let timer = Task { [weak self] in
      try? await Task.sleep(for: Self.patience)
      await self?.stopWaiting(own)
    }
    await withCheckedContinuation { waiters[own] = (condition, $0) }
    timer.cancel()
    return view
  }

  /// What happens from now on, beginning with what is known now.
  func events() -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(Self.longestBacklog))
    if let view { continuation.yield(view.event) }
    number += 1
    let own = number
    listeners[own] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.forget(own) } }
    return stream
  }

  // MARK: What browsers do

  /// Sends an answer of a browser.
  func answering<Result: Sendable>(
    _ body: @Sendable () async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result {
    answering += 1
    defer { answering -= 1 }
    return try await body()
  }

  /// Shows the other browsers what was typed in one of them; `page` is how its script calls itself.
  func drafted(_ draft: [String: JSONValue], on screen: UInt64, by page: String) {
    view?.apply(.drafted(screen: screen, draft))
    tell(.drafted(on: screen, by: page))
  }

  // MARK: What the mirror tells

  private func take(_ event: WindowEvent) {
    var view = view ?? TreeView(state: .shown(MirroredWindow(revision: 0, screens: [])))
    // The mirror does not tell of answers that went through this client; all of them are from browsers.
    if answering > 0, case .window = event { view.expectAnswerOfBrowser() }
    view.apply(event)
    self.view = view
    switch event {
    case .progress(let screen, let progress): tell(.progress(progress, on: screen))
    case .drafted(let screen, _): tell(.drafted(on: screen, by: ""))
    case .answered: break
    default: tell(view.event)
    }
    wakeWaiters()
  }

  private func cannotShow() {
    let view = TreeView(state: .unshowable)
    self.view = view
    tell(view.event)
    wakeWaiters()
  }

  private func tell(_ event: ServerSentEvent) {
    for listener in listeners.values {
      if case .dropped = listener.yield(event) { listener.finish() }
    }
  }

  private func forget(_ listener: Int) { listeners[listener] = nil }

  private func wakeWaiters() {
    guard let view else { return }
    for (number, waiter) in waiters where view.isOver || waiter.condition(view) { stopWaiting(number) }
  }

  private func stopWaiting(_ number: Int) { waiters.removeValue(forKey: number)?.continuation.resume() }
}

extension ServerSentEvent {
  /// Something was typed on a screen, and not sent yet.
  fileprivate static func drafted(on screen: UInt64, by page: String) -> ServerSentEvent {
    ServerSentEvent("drafted", ["screen": .integer(Int64(clamping: screen)), "page": .string(page)])
  }

  /// How far the work on a screen has come.
  fileprivate static func progress(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> ServerSentEvent {
    var data: [String: JSONValue] = ["screen": .integer(Int64(clamping: screen))]
    data["fraction"] = progress.fraction.map { JSONValue($0) }
    data["text"] = progress.text.map { .string($0) }
    return ServerSentEvent("progress", .object(data))
  }
}
