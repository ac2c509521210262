import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import CoordinatorTools

/// Shows a flow tree on a full screen, and takes what its user does: a value that decides, without any I/O.
///
/// Whoever drives it passes on everything that happens, carries out the effects in their order, and paints what ``draw(in:)``
/// answers.
struct Display: Sendable {
  /// Something that happened.
  enum Input: Sendable, Hashable {
    case key(Key)
    /// Ctrl-C.
    case interrupted
    /// Time has passed while something moved.
    case beat
    /// The terminal has gone.
    case terminalLost
    /// The mirror of the flow tree's window has news.
    case event(WindowEvent)
    /// The daemon took what was delegated, or the way back; the tree is at this revision now.
    case accepted(revision: UInt64)
    /// The daemon did not take it.
    case refused(ClientError)
    /// Something else is to be known; it stands until a key is pressed.
    case notice(Notice)
  }

  /// Something to do.
  enum Effect: Sendable, Hashable {
    /// Delegate, and answer with `accepted` or `refused`.
    case delegate(Delegation)
    /// Go back from a screen, and answer with `accepted` or `refused`.
    case back(screen: UInt64)
    /// Keep what is typed into the form of a screen and not sent, for other renderers. Nothing is lost if that fails.
    case saveDraft(screen: UInt64, [String: JSONValue])
    /// Stop, and write these lines where the screen was; the flow may live on.
    case leave(ToolExit, [String])
  }

  /// Where things stand.
  enum Phase: Sendable, Hashable {
    /// The top screen can be acted on.
    case ready
    /// A call is under way.
    case calling
    /// The call was answered; the window of that revision has not come yet.
    case settling(revision: UInt64)
    /// The window of that revision is out of date; the next one has not come yet.
    case outdated(revision: UInt64)
    /// The end.
    case over
  }

  /// What the flow tree is called: what to give to come back to it.
  let tree: String
  let symbols: Symbols
  var phase = Phase.ready
  /// What the call that is under way, or was the last, was about: the screen, and the revision that was seen.
  var asked: (screen: UInt64, revision: UInt64)?
  var window: MirroredWindow?
  /// The window that has come while a call is under way. It is shown together with the answer, so that no key is pressed on a screen
  /// that does not take any yet.
  var held: MirroredWindow?
  /// The screens with what is being done to them, by id: those that have been on top, as long as they are in the window.
  var views: [UInt64: ScreenView] = [:]
  var notice: Notice?
  /// Whether the daemon is not there.
  var isAway = false
  /// What is asked before the whole flow ends, on top of everything else.
  var question: ScreenView?
  /// Whether help covers everything.
  var isHelping = false
  var helpScroll = Scroll()
  var beat = 0
  /// The last frame, to know what a click hits.
  private(set) var frame = Frame(Size(columns: 0, rows: 0))

  /// A display that waits for its first window.
  ///
  /// - Parameters:
  ///   - tree: What the flow tree is called.
  ///   - isUnicode: Whether there is more than ASCII to draw with.
  init(tree: String, isUnicode: Bool) {
    self.tree = tree
    symbols = Symbols(isUnicode: isUnicode)
  }

  /// The screen that keys are for.
  var top: PresentedScreen? { window?.top }

  /// Takes something that happened.
  ///
  /// - Parameter input: What happened, in the order in which it did.
  /// - Returns: What to do, in this order.
  mutating func handle(_ input: Input) -> [Effect] {
    guard phase != .over else { return [] }
    switch input {
    case .key(let key): return take(key)
    case .interrupted: return leave(.interrupted)
    case .beat: beat += 1
    case .terminalLost: return leave(.error)
    case .event(let event): return take(event)
    case .accepted(let revision): accepted(revision)
    case .refused(let error): refused(error)
    case .notice(let notice): self.notice = notice
    }
    return []
  }

  /// Ends, and leaves the flow alone.
  mutating func leave(_ exit: ToolExit) -> [Effect] {
    phase = .over
    return [.leave(exit, ["The flow goes on. To come back to it: coordinator-tui \(tree)"])]
  }

  /// Draws everything, and remembers what is where.
  mutating func draw(in size: Size) -> Frame {
    frame = drawn(in: size)
    return frame
  }
}
