import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Follows a flow tree for all browsers that show it.
actor TreeWatch {
  private typealias Waiter = (condition: @Sendable (TreeView) -> Bool, continuation: CheckedContinuation<Void, Never>)

  /// The timeout for the effect of an answer.
  private static let patience = Duration.seconds(5)

  let mirror: WindowMirror
  /// The unique name of this server's connection.
  let own: String?
  /// The languages of the words for pages.
  let languages: RendererLanguages
  /// The people who have the tree open.
  var people = TreePeople()
  /// The known state; nil until the mirror's first event.
  private(set) var view: TreeView?
  var listeners = EventListeners(longestBacklog: 64)
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
  ///   - languages: languages of the words for pages.
  /// - Returns: the watch.
  /// - Throws: `ClientError`.
  static func attach(
    to tree: ObjectPath, of daemon: DaemonClient, languages: RendererLanguages
  ) async throws(ClientError) -> TreeWatch {
    let mirror = try await WindowMirror.attach(to: tree, of: daemon, kind: "web", people: [])
    let watch = TreeWatch(mirror: mirror, own: daemon.connection.uniqueName, languages: languages)
    await watch.start()
    return watch
  }

  private init(mirror: WindowMirror, own: String?, languages: RendererLanguages) {
    self.mirror = mirror
    self.own = own
    self.languages = languages
  }

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
    listeners.finish()
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

  /// Returns the future events, preceded by one with the current state.
  ///
  /// - Parameter visitor: browser that the events are for, which counts as present until they end; nil if they are for the
  ///   server itself.
  /// - Returns: the events.
  func events(for visitor: Visitor? = nil) -> AsyncStream<ServerSentEvent> {
    let (number, stream) = listeners.add(view?.event) { [weak self] number in Task { await self?.forget(number) } }
    if let visitor {
      people.add(visitor, as: number)
      peopleHaveChanged()
    }
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
    listeners.tell(.drafted(on: screen, by: page))
  }

  /// Notifies the page that shows a code that a browser has used it.
  func entered(_ code: Int) { listeners.tell(ServerSentEvent("entered", ["code": .integer(Int64(code))])) }

  /// Asks on all pages whether the user is still present; nil withdraws the question.
  func warn(_ left: Duration?) {
    listeners.tell(ServerSentEvent("idle", left.map { ["left": .string(TimedSentence.milliseconds($0))] } ?? [:]))
  }

  // MARK: Events of the mirror

  private func take(_ event: WindowEvent) {
    notePeople(event)
    // Other people may type before the first window is known. No window is shown then, and an answer must not assume one.
    guard view != nil || event.beginsView else { return }
    var view = view ?? TreeView(state: .shown(MirroredWindow(revision: 0, screens: [])))
    // The mirror does not report answers sent through this client. All of them come from browsers.
    if answering > 0, case .window = event { view.expectAnswerOfBrowser() }
    view.apply(event)
    self.view = view
    switch event {
    case .progress(let screen, let progress): listeners.tell(.progress(progress, on: screen))
    case .drafted(let screen, _): listeners.tell(.drafted(on: screen, by: ""))
    case .answered, .typing, .participants: break
    default: listeners.tell(view.event)
    }
    wakeWaiters()
  }

  private func cannotShow() {
    let view = TreeView(state: .unshowable)
    self.view = view
    listeners.tell(view.event)
    wakeWaiters()
  }

  private func wakeWaiters() {
    guard let view else { return }
    for (number, waiter) in waiters where view.isOver || waiter.condition(view) { stopWaiting(number) }
  }

  private func stopWaiting(_ number: Int) { waiters.removeValue(forKey: number)?.continuation.resume() }
}

extension WindowEvent {
  /// Whether the event determines the state of the tree.
  fileprivate var beginsView: Bool {
    switch self {
    case .window, .ended: true
    default: false
    }
  }
}
