import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// What is known of a flow tree.
struct TreeView: Sendable, Hashable {
  /// What it shows.
  enum State: Sendable, Hashable {
    /// A window.
    case shown(MirroredWindow)
    /// Nothing any more.
    case ended(FlowEnd)
    /// Something that this renderer does not understand.
    case unshowable
  }

  var state: State
  /// Whether the daemon is away.
  var isLost = false
  /// Who has answered, if that is why the window is what it is.
  private(set) var answered: Notice?
  /// The same for the window that comes next.
  private var answer: Notice?

  init(state: State, isLost: Bool = false) {
    self.state = state
    self.isLost = isLost
  }

  /// Whether nothing new will come.
  var isOver: Bool { window == nil }

  /// The window; nil if there is none.
  var window: MirroredWindow? { if case .shown(let window) = state { window } else { nil } }

  /// Whether it shows a screen, as of a revision or a later one.
  func shows(_ revision: UInt64) -> Bool { window.map { $0.revision >= revision && $0.top != nil } ?? false }

  /// Takes what the mirror tells.
  mutating func apply(_ event: WindowEvent) {
    switch event {
    case .window(let window):
      state = .shown(window)
      (answered, answer) = (answer, nil)
    case .progress(let screen, let progress): update(screen) { $0.screen.progress = progress }
    case .drafted(let screen, let draft): update(screen) { $0.draft = draft }
    case .answered(let answer): self.answer = .answeredElsewhere(kind: Notice.Kind(rawValue: answer.kind))
    case .daemonLost: isLost = true
    case .daemonBack: isLost = false
    case .ended(let end):
      state = .ended(end)
      isLost = false
    }
  }

  /// Says that a browser is answering: the next window is its doing, unless the daemon has said whose it is.
  mutating func expectAnswerOfBrowser() { answer = answer ?? .answeredElsewhere(kind: .web) }

  private mutating func update(_ screen: UInt64, _ body: (inout PresentedScreen) -> Void) {
    guard var window, let index = window.screens.firstIndex(where: { $0.id == screen }) else { return }
    body(&window.screens[index])
    state = .shown(window)
  }

  /// The same for a page that listens: enough to tell whether it has to look again.
  var event: ServerSentEvent {
    guard let window else { return ServerSentEvent("ended") }
    var data: [String: JSONValue] = [
      "revision": .integer(Int64(clamping: window.revision)), "screen": .integer(Int64(clamping: window.top?.id ?? 0)),
      "lost": .boolean(isLost), "held": .boolean(window.held != nil),
    ]
    data["notice"] = answered.map { .string($0.code) }
    return ServerSentEvent("window", .object(data))
  }
}
