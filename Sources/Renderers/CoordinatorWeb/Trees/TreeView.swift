import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The known state of a flow tree, as its pages show it.
struct TreeView: Sendable, Hashable {
  /// The state of the tree.
  enum State: Sendable, Hashable {
    /// The tree shows a window.
    case shown(MirroredWindow)
    /// The tree has ended.
    case ended(FlowEnd)
    /// The tree's screens cannot be decoded by this renderer.
    case unshowable
  }

  var state: State
  /// Whether the daemon is away.
  var isLost = false
  /// The notes for the summary at the end of the tree.
  private var notes = EndNotes()
  /// The language of the flow tree, also after its end; nil before there was a window.
  private(set) var language: LanguageTag?
  /// The notice that another answer led to the current window, if there was one.
  private(set) var answered: PageNotice?
  /// The notice for the next window.
  private var answer: PageNotice?

  init(state: State, isLost: Bool = false) {
    self.state = state
    self.isLost = isLost
  }

  /// The answers that were under review when the tree was last seen.
  var review: [ReviewRow] { notes.review }

  /// Whether the state is final.
  var isOver: Bool { window == nil }

  /// The window; nil if there is none.
  var window: MirroredWindow? { if case .shown(let window) = state { window } else { nil } }

  /// Returns whether the tree shows a screen at the given revision or a later one.
  func shows(_ revision: UInt64) -> Bool { window.map { $0.revision >= revision && $0.top != nil } ?? false }

  /// Applies an event of the mirror.
  mutating func apply(_ event: WindowEvent) {
    switch event {
    case .window(let window):
      state = .shown(window)
      language = window.language
      notes.note(window)
      (answered, answer) = (answer, nil)
    case .progress(let screen, let progress): update(screen) { $0.screen.progress = progress }
    case .drafted(let screen, let draft): update(screen) { $0.draft = draft }
    case .language(let language):
      self.language = language
      guard var window else { break }
      window.language = language
      state = .shown(window)
    case .answered(let answer): self.answer = .answeredElsewhere(kind: PageNotice.Kind(rawValue: answer.kind))
    case .typing, .participants: break
    case .daemonLost: isLost = true
    case .daemonBack: isLost = false
    case .ended(let end):
      state = .ended(end)
      isLost = false
    }
  }

  /// Attributes the next window to an answer of a browser, unless the daemon attributes it otherwise.
  mutating func expectAnswerOfBrowser() { answer = answer ?? .answeredElsewhere(kind: .web) }

  private mutating func update(_ screen: UInt64, _ body: (inout PresentedScreen) -> Void) {
    guard var window, let index = window.screens.firstIndex(where: { $0.id == screen }) else { return }
    body(&window.screens[index])
    state = .shown(window)
  }

  /// The state as an event for listening pages; sufficient for them to decide whether to reload.
  var event: ServerSentEvent {
    guard let window else { return ServerSentEvent("ended") }
    var data: [String: JSONValue] = [
      "revision": .integer(Int64(clamping: window.revision)), "screen": .integer(Int64(clamping: window.top?.id ?? 0)),
      "lost": .boolean(isLost), "held": .boolean(window.held != nil), "language": .string(window.language.bcp47),
      "shown": .string(window.top?.fingerprint ?? ""),
    ]
    data["notice"] = answered.map { .string($0.code) }
    return ServerSentEvent("window", .object(data))
  }
}

extension PresentedScreen {
  /// A fingerprint that differs between screens that look different, even if the revision is the same because the change is
  /// live. Excludes drafts and progress, which have separate events. Valid within this process.
  var fingerprint: String {
    var screen = self
    screen.draft = [:]
    if screen.screen.progress != nil { screen.screen.progress = Progress() }
    return String(UInt(bitPattern: screen.hashValue), radix: 36)
  }
}

extension ServerSentEvent {
  /// Returns the event for a changed draft of a screen.
  static func drafted(on screen: UInt64, by page: String) -> ServerSentEvent {
    ServerSentEvent("drafted", ["screen": .integer(Int64(clamping: screen)), "page": .string(page)])
  }

  /// Returns the event for a changed progress of a screen.
  static func progress(_ progress: CoordinatorKit.Progress, on screen: UInt64) -> ServerSentEvent {
    var data: [String: JSONValue] = ["screen": .integer(Int64(clamping: screen))]
    data["fraction"] = progress.fraction.map { JSONValue($0) }
    data["text"] = progress.text.map { .string($0) }
    return ServerSentEvent("progress", .object(data))
  }
}
