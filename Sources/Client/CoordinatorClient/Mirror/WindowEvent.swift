import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// An event that a ``WindowMirror`` emits to its renderer.
public enum WindowEvent: Sendable, Hashable {
  /// Paint this window.
  case window(MirroredWindow)
  /// The progress of a screen of the painted window has changed.
  case progress(screen: UInt64, CoordinatorKit.Progress)
  /// The draft of a screen of the painted window was changed by another client; empty if the draft was removed.
  case drafted(screen: UInt64, [String: JSONValue])
  /// Another client is typing on a screen. Its draft follows, if the screen is still there.
  case typing(screen: UInt64, by: Participant)
  /// The renderers that are attached, including this one, have changed.
  case participants([Participant])
  /// The language of the painted window has changed. Its screens are already in that language.
  case language(LanguageTag)
  /// Another client has answered a screen. The resulting window follows.
  case answered(Answer)
  /// The daemon has left the bus. The painted window cannot be acted on until the daemon is back.
  case daemonLost
  /// The daemon is back. A window follows if it differs from the painted one.
  case daemonBack
  /// The flow has ended. No event follows.
  case ended(FlowEnd)
}

/// A queue of the events that the renderer has not read yet. Newer events replace older ones that they supersede, so
/// the queue stays short.
struct WindowEventQueue: Sendable {
  private var events: [WindowEvent] = []
  /// Whether every event is kept. Meant for a reader that records the history and drains the queue quickly.
  private let isComplete: Bool

  init(isComplete: Bool = false) { self.isComplete = isComplete }

  /// Appends an event, and removes the queued events that it supersedes.
  mutating func append(_ event: WindowEvent) {
    guard !isComplete else {
      events.append(event)
      return
    }
    switch event {
    case .window:
      events.removeAll { $0.isInWindow }
    case .progress(let screen, _):
      events.removeAll { if case .progress(screen, _) = $0 { true } else { false } }
    case .drafted(let screen, _):
      events.removeAll { if case .drafted(screen, _) = $0 { true } else { false } }
    case .language:
      events.removeAll { if case .language = $0 { true } else { false } }
    case .typing(let screen, _):
      events.removeAll { if case .typing(screen, _) = $0 { true } else { false } }
    case .participants:
      events.removeAll { if case .participants = $0 { true } else { false } }
    case .answered:
      events.removeAll { if case .answered = $0 { true } else { false } }
    case .daemonBack:
      // A reader that has not seen the loss does not need to see the recovery.
      if let lost = events.lastIndex(of: .daemonLost) {
        events.remove(at: lost)
        return
      }
    case .daemonLost: break
    case .ended: events.removeAll { $0.isInWindow && !$0.isWindow }
    }
    events.append(event)
  }

  /// Removes and returns the oldest event, or returns nil if the queue is empty.
  mutating func popFirst() -> WindowEvent? {
    events.isEmpty ? nil : events.removeFirst()
  }
}

extension WindowEvent {
  fileprivate var isWindow: Bool { if case .window = self { true } else { false } }

  /// Whether a newer window supersedes this event.
  fileprivate var isInWindow: Bool {
    switch self {
    case .window, .progress, .drafted, .language: true
    case .typing, .participants, .answered, .daemonLost, .daemonBack, .ended: false
    }
  }
}

/// The window of a flow tree, as a renderer paints it.
public struct MirroredWindow: Sendable, Hashable {
  /// The revision that the window shows; pass it as `seen` when delegating.
  public var revision: UInt64
  /// All screens of all layers, bottom first.
  public var screens: [PresentedScreen]
  /// The reason why the tree is held, for users; nil if it is not held. A held tree shows no screens, but keeps its entire
  /// state.
  public var held: String?
  /// The language of the screens.
  public var language: LanguageTag
  /// The reason why this client may only see the top screen; nil if it may answer, or if that is not known yet.
  public var closed: String?

  /// Creates a window with the given screens, bottom first.
  public init(
    revision: UInt64, screens: [PresentedScreen], held: String? = nil, language: LanguageTag = .english
  ) {
    self.revision = revision
    self.screens = screens
    self.held = held
    self.language = language
  }

  /// The screen to show and to act on, or nil if there is none.
  public var top: PresentedScreen? { screens.last }
}

/// The events of a ``WindowMirror``, in order.
public struct WindowEvents: AsyncSequence, Sendable {
  /// An event for the renderer.
  public typealias Element = WindowEvent
  /// The error thrown when the connection to the bus is lost, or when the daemon violates the contract.
  public typealias Failure = ClientError

  let mirror: WindowMirror

  /// Creates an iterator. All iterators of a mirror share one queue.
  public func makeAsyncIterator() -> Iterator { Iterator(mirror: mirror) }

  /// The iterator of ``WindowEvents``.
  public struct Iterator: AsyncIteratorProtocol {
    let mirror: WindowMirror

    /// Returns the next event, or nil at the end and when the task is cancelled.
    ///
    /// - Throws: ``ClientError`` once, if the mirror failed.
    public mutating func next() async throws(ClientError) -> WindowEvent? { try await mirror.next() }

    /// Returns the next event, or nil at the end and when the task is cancelled.
    ///
    /// - Throws: ``ClientError`` once, if the mirror failed.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> WindowEvent? {
      try await mirror.next()
    }
  }
}

/// A renderer that is attached to a flow tree, as it describes itself.
///
/// The texts come from another program: make them printable before you show them.
public struct Participant: Sendable, Hashable {
  /// The unique name of its connection to the bus.
  public var client: String
  /// The kind of renderer, such as "terminal"; empty if it has not given one.
  public var kind: String
  /// The name that distinguishes it from other renderers of its kind, such as "pts/3, anna"; empty if it has not given one.
  public var name: String
  /// The people to whom it shows the tree; nil if it has not named them, which means one person.
  public var people: [String]?

  /// Creates a participant with the given values.
  public init(client: String, kind: String, name: String = "", people: [String]? = nil) {
    self.client = client
    self.kind = kind
    self.name = name
    self.people = people
  }

  /// The displayed name of the person at this renderer: the renderer's name, or that of its only person.
  var displayedName: String {
    guard let people else { return name }
    return people.count == 1 ? people[0] : ""
  }

  /// Decodes an entry of the property Renderers; nil if it has no client.
  init?(_ entry: [String: Value]) {
    guard let client = entry["client"]?.string else { return nil }
    self.init(
      client: client, kind: entry["kind"]?.string ?? "", name: entry["name"]?.string ?? "",
      people: entry["people"]?.elements.map { $0.compactMap(\.string) })
  }
}

/// The end of a flow, as reported to its client.
public enum FlowEnd: Sendable, Hashable {
  /// The flow finished with this result.
  case finished([String: JSONValue])
  /// The flow was cancelled: its user left it, or a client dismissed it.
  case cancelled
  /// The daemon was stopped and does not persist flows.
  case stopped
  /// The flow failed; `code` is stable across versions. Do not show a technical message to people.
  case failed(code: String, message: String, isTechnical: Bool = false)
  /// The daemon does not know the flow: it lost its state, or no longer keeps the outcome.
  case lost

  /// Decodes the reply of RunFlow or GetOutcome. The result is nil for "active" and for any outcome that the contract
  /// does not define.
  ///
  /// - Parameters:
  ///   - outcome: name of the outcome in the contract.
  ///   - result: dictionary that accompanies the outcome.
  public init?(outcome: String, result: [String: JSONValue]) {
    switch OutcomeWord(rawValue: outcome) {
    case .finished: self = .finished(result)
    case .cancelled: self = result["reason"]?.string == "stopped" ? .stopped : .cancelled
    case .failed:
      self = .failed(
        code: result["code"]?.string ?? "", message: result["message"]?.string ?? "",
        isTechnical: result["technical"]?.boolean ?? false)
    case nil: return nil
    }
  }

  /// The name of the end: "finished", "cancelled", "stopped", "failed" or "lost".
  public var name: String {
    switch self {
    case .finished: OutcomeWord.finished.rawValue
    case .cancelled: OutcomeWord.cancelled.rawValue
    case .stopped: "stopped"
    case .failed: OutcomeWord.failed.rawValue
    case .lost: "lost"
    }
  }

  /// The dictionary that accompanies the outcome, as it is sent on the bus.
  public var result: [String: JSONValue] {
    switch self {
    case .finished(let result): result
    case .failed(let code, let message, let isTechnical):
      ["code": .string(code), "message": .string(message)].merging(isTechnical ? ["technical": true] : [:]) { $1 }
    case .cancelled, .stopped, .lost: [:]
    }
  }
}
