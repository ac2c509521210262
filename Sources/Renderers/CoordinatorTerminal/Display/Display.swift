import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// Shows a flow tree in full-screen mode and handles its user's input. A value that makes the decisions, without I/O.
///
/// The driver passes on all events, performs the effects in order, and paints the result of ``draw(in:at:)``.
struct Display: Sendable {
  /// An event from the driver.
  enum Input: Sendable, Hashable {
    case key(Key)
    /// Ctrl-C was pressed.
    case interrupted
    /// A step of an animation is due.
    case beat
    /// The terminal has been closed.
    case terminalLost
    /// The mirror of the flow tree's window has emitted an event.
    case event(WindowEvent)
    /// The daemon accepted the delegation or the step back; the tree is now at this revision.
    case accepted(revision: UInt64)
    /// The daemon refused the call.
    case refused(ClientError)
    /// The number of other renderers that are attached; nil if unknown.
    case counted(others: Int?)
    /// A notice to show until a key is pressed.
    case notice(DisplayNotice)
    /// The listing of the flow, which has ended or is about to.
    case flow(FlowListing?)
    /// News of the server for the phone.
    case phone(Phone.News)
  }

  /// An effect to perform.
  enum Effect: Sendable, Hashable {
    /// Delegate an event, and report `accepted` or `refused`.
    case delegate(Delegation)
    /// Go back from a screen, and report `accepted` or `refused`.
    case back(screen: UInt64)
    /// Count the other renderers that are attached, and report `counted`.
    case countOthers
    /// Save the unsent values of a form for other renderers. A failure of the call can be ignored.
    case saveDraft(screen: UInt64, [String: JSONValue])
    /// Start the server for a phone, and report its news.
    case startPhone
    /// Stop with this exit code, and write these lines in place of the screen. The flow may continue.
    case leave(ToolExit, [String])
  }

  /// The state of the display.
  enum Phase: Sendable, Hashable {
    /// The top screen can be acted on.
    case ready
    /// A call is pending.
    case calling
    /// The other renderers are being counted, because the user wants to leave.
    case counting
    /// The call has returned, but the window of this revision has not arrived yet.
    case settling(revision: UInt64)
    /// The window of this revision is outdated, and the next one has not arrived yet.
    case outdated(revision: UInt64)
    /// The display has ended.
    case over
  }

  /// The name of the flow tree, with which a command line reattaches to it.
  let tree: String
  let symbols: Symbols
  /// The color of highlighted elements if the screen has none.
  let accent: Look.Colour
  /// The name of the product; nil if the theme has none.
  let product: String?
  /// The policy for this terminal: at a kiosk, users cannot leave, and no text remains for the next person.
  let policy: KioskPolicy
  var phase = Phase.ready
  /// The screen of the pending or last call, and the revision that the user had seen.
  var asked: (screen: UInt64, revision: UInt64)?
  var window: MirroredWindow?
  /// The window that arrived during a call. It is shown together with the reply, so that no key is pressed on a screen that
  /// does not accept keys yet.
  var held: MirroredWindow?
  /// The views of the screens, by id: of those that have been the top screen and are still in the window.
  var views: [UInt64: ScreenView] = [:]
  var notice: DisplayNotice?
  private var work = WorkWatch()
  /// How the flow ended; nil while it continues.
  var end: FlowEnd?
  /// The notes for the summary at the end of the flow.
  var notes = EndNotes()
  /// Whether the daemon is away.
  var isAway = false
  /// A question before something is sent, on top of everything else.
  var question: ConfirmationQuestion?
  /// Whether help covers everything.
  var isHelping = false
  var helpScroll = Scroll()
  var phone = Phone()
  /// The other people who have the flow open.
  var company: Company
  /// The name of the person who typed last in another renderer.
  var typist: String?
  /// The texts typed here on screens that another client answered.
  var unsent: [UnsentText] = []
  var beat = 0
  /// The time at which the display is drawn, for countdowns.
  private(set) var now: Timestamp?
  /// The last frame, which determines the target of a click.
  private(set) var frame = Frame(Size(columns: 0, rows: 0))

  /// Creates a display that waits for its first window.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - isUnicode: whether characters outside ASCII can be drawn.
  init(tree: String, isUnicode: Bool) { self.init(tree: tree, font: isUnicode ? .unicode : .ascii) }

  /// Creates a display that waits for its first window.
  ///
  /// - Parameters:
  ///   - tree: name of the flow tree.
  ///   - font: characters that the terminal can draw.
  ///   - accent: color of highlighted elements if the screen has none.
  ///   - product: name of the product; nil if the theme has none.
  ///   - client: unique name of this renderer's connection.
  ///   - policy: policy for a terminal in a public place.
  init(
    tree: String, font: Symbols.Font, accent: Look.Colour = .magenta, product: String? = nil, client: String? = nil,
    policy: KioskPolicy = .none
  ) {
    self.policy = policy
    self.tree = tree
    self.accent = accent
    company = Company(own: client)
    self.product = product
    symbols = Symbols(font)
  }

  /// The language of the flow tree and of the words around it; nil before there is a window.
  var language: LanguageTag? { window?.language }

  /// The screen that receives the keys.
  var top: PresentedScreen? { window?.top }

  /// Handles an input.
  ///
  /// - Parameter input: input, passed in the order of the events.
  /// - Returns: the effects, to be performed in this order.
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
    case .counted(let others): return counted(others)
    case .notice(let notice): self.notice = notice
    case .flow(let flow): notes.flow = flow
    case .phone(let news): take(news)
    }
    return []
  }

  /// Ends the display. The flow continues.
  mutating func leave(_ exit: ToolExit) -> [Effect] {
    phase = .over
    // Users who cannot leave see the flow again.
    guard !policy.isLocked else { return [.leave(exit, [])] }
    let command = "coordinator-tui \(tree)"
    let line = Text("The flow continues. To return to it: {command}", ["command": command]).string
    return [.leave(exit, unsentLines + [line])]
  }

  /// Returns the notification that long work has ended, for a user who does not look at the terminal; nil if there is none.
  mutating func notification(at now: Timestamp) -> CursesTerminal.Notification? {
    guard window != nil, let title = work.observe(end == nil ? top?.screen : nil, at: now) else { return nil }
    return CursesTerminal.Notification(text: Text("Done: {title}", ["title": title.printable]).string, title: product ?? tree)
  }

  /// Draws a frame, and stores it for later clicks. Without the current time, no countdown is drawn.
  mutating func draw(in size: Size, at now: Timestamp? = nil) -> Frame {
    self.now = now
    // Before the size is known, a screen must not be scrolled to fit it.
    frame = size.columns > 0 && size.rows > 0 ? drawn(in: size) : Frame(size)
    return frame
  }
}

/// Detects the end of work that has lasted so long that its user may have turned away.
struct WorkWatch: Sendable, Hashable {
  /// The minimum duration of such work, in microseconds.
  private static let longest: UInt64 = 10_000_000

  /// The start time of the shown work, and the title of its screen.
  private var work: (since: Timestamp, title: String)?

  /// Updates the state from the top screen.
  ///
  /// - Parameters:
  ///   - screen: top screen; nil if there is none, because the flow has ended.
  ///   - now: current time.
  /// - Returns: the title of the screen whose work has ended after a long time; nil otherwise.
  mutating func observe(_ screen: Screen?, at now: Timestamp) -> String? {
    if let screen, screen.progress != nil {
      work = (work?.since ?? now, screen.title)
      return nil
    }
    guard let ended = work.take(), now.microseconds >= ended.since.microseconds + Self.longest else { return nil }
    return ended.title
  }

  static func == (left: WorkWatch, right: WorkWatch) -> Bool {
    left.work?.since == right.work?.since && left.work?.title == right.work?.title
  }

  func hash(into hasher: inout Hasher) { hasher.combine(work?.since) }
}
