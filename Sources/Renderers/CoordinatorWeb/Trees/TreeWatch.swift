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
    if case .window(let window) = event {
      view.apply(.window(languages.speaking(window.language) { window.withoutClosedAnswers }))
    } else {
      view.apply(event)
    }
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

/// The people who have a tree open, and those who type in it.
extension TreeWatch {
  /// Removes a page whose connection has ended.
  func forget(_ listener: Int) {
    listeners.remove(listener)
    guard people.visitor(listener) != nil else { return }
    people.remove(listener)
    peopleHaveChanged()
  }

  /// Records an event about other people, before it is applied to the view.
  func notePeople(_ event: WindowEvent) {
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

  /// Notifies each page of the other people, and other renderers of the people at the pages.
  func peopleHaveChanged() {
    speaking {
      listeners.tell { number in
        ServerSentEvent("people", ["text": .string(people.sentence(for: people.visitor(number)?.id))])
      }
    }
    Task { [mirror, names = people.names] in await mirror.show(to: names) }
  }

  /// Notifies the pages of all browsers but one that a person is typing.
  func tellTyping(_ name: String, except id: Token?) {
    let event = ServerSentEvent(
      "typing", ["text": .string(speaking { Text("Typing: {name}", ["name": name]).string })])
    listeners.tell { number in id == nil || people.visitor(number)?.id != id ? event : nil }
  }

  /// Runs a closure that makes words, in the language of the tree.
  private func speaking<Words>(_ body: () -> Words) -> Words {
    view?.language.map { languages.speaking($0, body) } ?? body()
  }
}

/// The people who have a flow tree open, in browsers of this server and in other renderers, and the authors of drafts.
struct TreePeople: Sendable {
  /// The author of a text.
  enum Author: Sendable, Hashable {
    case visitor(Visitor)
    /// A person in another renderer, by its name; nil if the renderer is not known.
    case elsewhere(String?)

    var name: String? {
      switch self {
      case .visitor(let visitor): visitor.name
      case .elsewhere(let name): name
      }
    }
  }

  /// The maximum number of people that a renderer may name.
  private static let mostPeople = 32

  /// The renderers besides this server.
  private var others: [Participant] = []
  /// The browsers that listen, by the number of their connection.
  private var visitors: [Int: Visitor] = [:]
  /// The authors of the text in the draft of a screen, by screen and field.
  private var authors: [UInt64: [String: Author]] = [:]
  /// The last person who typed in another renderer, by screen.
  private var typists: [UInt64: String] = [:]

  // MARK: Who is there

  /// Updates the attached renderers.
  ///
  /// - Parameters:
  ///   - participants: all renderers.
  ///   - own: unique name of this server's connection.
  mutating func take(_ participants: [Participant], own: String?) { others = participants.filter { $0.client != own } }

  /// Adds a browser that listens with a connection.
  mutating func add(_ visitor: Visitor, as listener: Int) { visitors[listener] = visitor }

  /// Removes the browser of a connection.
  mutating func remove(_ listener: Int) { visitors[listener] = nil }

  /// Returns the browser of a connection.
  func visitor(_ listener: Int) -> Visitor? { visitors[listener] }

  /// The names of the browsers, each once, in the order in which they connected.
  var names: [String] { Array(distinctVisitors.map(\.name).prefix(Self.mostPeople)) }

  private var distinctVisitors: [Visitor] {
    var known: Set<Token> = []
    return visitors.sorted { $0.key < $1.key }.map(\.value).filter { known.insert($0.id).inserted }
  }

  /// Returns the sentence about the other people for a browser; empty if there are none.
  func sentence(for id: Token?) -> String {
    let titles = others.flatMap(\.titles) + distinctVisitors.filter { $0.id != id }.map(\.name)
    return Company.sentence(of: titles) ?? ""
  }

  // MARK: Who has typed what

  /// Records the person who types in another renderer. Its draft follows.
  mutating func typing(_ participant: Participant, on screen: UInt64) { typists[screen] = participant.title }

  /// Records the author of the differences between two drafts.
  ///
  /// - Parameters:
  ///   - before: previous draft.
  ///   - draft: draft that replaces it.
  ///   - screen: id of the screen.
  ///   - visitor: browser that saved the draft; nil if another renderer saved it.
  mutating func typed(instead before: [String: JSONValue], _ draft: [String: JSONValue], on screen: UInt64, by visitor: Visitor?)
  {
    let author = visitor.map(Author.visitor) ?? .elsewhere(typists[screen])
    for name in Set(before.keys).union(draft.keys) where before[name] != draft[name] {
      authors[screen, default: [:]][name] = draft[name] == nil ? nil : author
    }
  }

  /// Removes the authors on screens that are gone.
  mutating func keep(onlyScreens screens: Set<UInt64>) {
    authors = authors.filter { screens.contains($0.key) }
    typists = typists.filter { screens.contains($0.key) }
  }

  /// Returns the authors of the text in the fields of a screen, except for the browser itself.
  func authors(on screen: UInt64, for id: Token?) -> [String: Author] {
    (authors[screen] ?? [:]).filter { _, author in
      if case .visitor(let visitor) = author { visitor.id != id } else { true }
    }
  }
}

/// A browser that shows a flow tree.
struct Visitor: Sendable, Hashable {
  /// The identity of the browser: its session's cookie, which is never disclosed.
  let id: Token
  /// The name that other people see.
  let name: String
}
