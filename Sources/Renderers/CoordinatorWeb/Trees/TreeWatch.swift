import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Follows a flow tree for all browsers that show it.
actor TreeWatch {
  private typealias Waiter = (condition: @Sendable (TreeView) -> Bool, continuation: CheckedContinuation<Void, Never>)

  /// The number of events queued for a page that does not read. Beyond it, the page's connection ends and the page
  /// reconnects.
  private static let longestBacklog = 64
  /// The timeout for the effect of an answer.
  private static let patience = Duration.seconds(5)

  private let mirror: WindowMirror
  /// The unique name of this server's connection.
  private let own: String?
  /// Who has the tree open.
  private(set) var people = TreePeople()
  /// The known state; nil until the mirror's first event.
  private(set) var view: TreeView?
  /// The name of the flow; nil as long as it is not known.
  private(set) var flow: String?
  private var listeners: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
  private var waiters: [Int: Waiter] = [:]
  private var number = 0
  private var reader: Task<Void, Never>?
  /// The number of pending answers from browsers of this server.
  private var answering = 0

  /// Attaches to a flow tree.
  ///
  /// - Parameters:
  ///   - tree: path of the root coordinator.
  ///   - daemon: client of the daemon.
  /// - Returns: the watch.
  /// - Throws: `ClientError`.
  static func attach(
    to tree: ObjectPath, of daemon: DaemonClient
  ) async throws(ClientError) -> TreeWatch {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "web", people: [])
    let watch = TreeWatch(mirror: mirror, own: daemon.connection.uniqueName)
    await watch.start()
    // Nobody waits for it: it is needed when the tree has ended, and can then no longer be read.
    Task { [weak watch] in
      let details = try? await daemon.coordinator(tree).details()
      await watch?.learn(details?.flow)
    }
    return watch
  }

  private init(mirror: WindowMirror, own: String?) {
    self.mirror = mirror
    self.own = own
  }

  private func learn(_ flow: String?) { self.flow = flow }

  private func start() {
    reader = Task { [mirror, weak self] in
      do throws(ClientError) {
        for try await event in mirror.events { await self?.take(event) }
      } catch .malformedAnswer {
        await self?.cannotShow()
      } catch {
        // The connection to the bus is lost, so the server ends.
      }
    }
  }

  /// Stops following the tree, and detaches from it.
  func close() async {
    reader?.cancel()
    for listener in listeners.values { listener.finish() }
    await mirror.close()
  }

  /// Waits until a condition holds or the tree has ended, for at most 5 seconds.
  ///
  /// - Parameter condition: condition to wait for.
  /// - Returns: the state at that time.
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

  /// Returns the future events for a browser, preceded by one with the current state. The browser counts as present until
  /// the events end.
  func events(for visitor: Visitor) -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(Self.longestBacklog))
    if let view { continuation.yield(view.event) }
    number += 1
    let own = number
    listeners[own] = continuation
    people.add(visitor, as: own)
    peopleHaveChanged()
    continuation.onTermination = { [weak self] _ in Task { await self?.forget(own) } }
    return stream
  }

  // MARK: Actions of browsers

  /// Performs a call that sends a browser's answer.
  func answering<Result: Sendable>(
    _ body: @Sendable () async throws(ClientError) -> Result
  ) async throws(ClientError) -> Result {
    answering += 1
    defer { answering -= 1 }
    return try await body()
  }

  /// Notifies the other pages of a draft saved by a browser. `page` identifies the page that saved it.
  func drafted(_ draft: [String: JSONValue], on screen: UInt64, by page: String, _ visitor: Visitor) {
    let before = view?.window?.screens.first { $0.id == screen }?.draft ?? [:]
    people.typed(instead: before, draft, on: screen, by: visitor)
    if before != draft { tellTyping(visitor.name, except: visitor.id) }
    view?.apply(.drafted(screen: screen, draft))
    tell(.drafted(on: screen, by: page))
  }

  /// Asks on all pages whether somebody is still there; nil takes the question back.
  func warn(_ left: Duration?) {
    tell(ServerSentEvent("idle", left.map { ["left": .string(TimedSentence.milliseconds($0))] } ?? [:]))
  }

  // MARK: Events of the mirror

  private func take(_ event: WindowEvent) {
    notePeople(event)
    var view = view ?? TreeView(state: .shown(MirroredWindow(revision: 0, screens: [])))
    // The mirror does not report answers sent through this client. All of them come from browsers.
    if answering > 0, case .window = event { view.expectAnswerOfBrowser() }
    view.apply(event)
    self.view = view
    switch event {
    case .progress(let screen, let progress): tell(.progress(progress, on: screen))
    case .drafted(let screen, _): tell(.drafted(on: screen, by: ""))
    case .answered, .typing, .participants: break
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

  private func forget(_ listener: Int) {
    listeners[listener] = nil
    people.remove(listener)
    peopleHaveChanged()
  }

  // MARK: People

  /// Notes what an event says of other people, before it is applied to the view.
  private func notePeople(_ event: WindowEvent) {
    switch event {
    case .participants(let participants):
      people.take(participants, own: own)
      peopleHaveChanged()
    case .typing(let screen, let participant):
      people.typing(participant, on: screen)
      tellTyping(participant.title, except: nil)
    case .drafted(let screen, let draft):
      let before = view?.window?.screens.first { $0.id == screen }?.draft ?? [:]
      people.typed(instead: before, draft, on: screen, by: nil)
    case .window(let window): people.keep(onlyScreens: Set(window.screens.map(\.id)))
    default: break
    }
  }

  /// Tells each page who else is there, and other renderers who has a page.
  private func peopleHaveChanged() {
    for (number, listener) in listeners {
      let text = speaking { people.sentence(for: people.visitor(number)?.id) }
      if case .dropped = listener.yield(ServerSentEvent("people", ["text": .string(text)])) { listener.finish() }
    }
    Task { [mirror, names = people.names] in await mirror.show(to: names) }
  }

  /// Tells the pages of all browsers but one who is typing.
  private func tellTyping(_ name: String, except id: Token?) {
    let event = ServerSentEvent(
      "typing", ["text": .string(speaking { Text("Typing: {name}", ["name": name]).string })])
    for (number, listener) in listeners where id == nil || people.visitor(number)?.id != id {
      if case .dropped = listener.yield(event) { listener.finish() }
    }
  }

  private func speaking(_ body: () -> String) -> String {
    view?.language.map { RendererLanguages.standard.speaking($0, body) } ?? body()
  }

  private func wakeWaiters() {
    guard let view else { return }
    for (number, waiter) in waiters where view.isOver || waiter.condition(view) { stopWaiting(number) }
  }

  private func stopWaiting(_ number: Int) { waiters.removeValue(forKey: number)?.continuation.resume() }
}

extension ServerSentEvent {
  /// The draft of a screen has changed.
  fileprivate static func drafted(on screen: UInt64, by page: String) -> ServerSentEvent {
    ServerSentEvent("drafted", ["screen": .integer(Int64(clamping: screen)), "page": .string(page)])
  }

  /// The progress of a screen has changed.
  fileprivate static func progress(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> ServerSentEvent {
    var data: [String: JSONValue] = ["screen": .integer(Int64(clamping: screen))]
    data["fraction"] = progress.fraction.map { JSONValue($0) }
    data["text"] = progress.text.map { .string($0) }
    return ServerSentEvent("progress", .object(data))
  }
}
