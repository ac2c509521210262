import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Shows the front door on the full screen, and handles its user's input: the flows that run, and those that can be started. A
/// value that makes the decisions, without I/O.
///
/// The driver passes on all events, performs the effects in order, and paints the result of ``draw(in:at:)``.
struct HomeDisplay: Sendable {
  /// An event from the driver.
  enum Input: Sendable, Hashable {
    case key(Key)
    /// Ctrl-C was pressed.
    case interrupted
    /// The time to read the renderers again has come.
    case beat
    /// The terminal has been closed.
    case terminalLost
    /// The contents of the front door have changed.
    case news(HomeNews)
    /// The daemon started a flow.
    case started(ObjectPath)
    /// The daemon did not start a flow.
    case refused(ClientError)
    /// A flow that was opened from here has ended, or was left. Text typed there may be unsent.
    case returned(ObjectPath, DisplayNotice?, unsent: [UnsentText])
  }

  /// An effect to perform.
  enum Effect: Sendable, Hashable {
    /// Show a flow tree.
    case open(ObjectPath)
    /// Start a flow, and report `started` or `refused`.
    case start(String, input: [String: JSONValue])
    /// Read the attached renderers again.
    case refresh
    /// Stop with this exit code.
    case leave(ToolExit)
  }

  /// The name of the product; nil if the theme has none.
  let name: String?
  let symbols: Symbols
  /// The color of highlighted elements.
  let accent: Look.Colour
  /// The contents; nil before they have been read.
  private(set) var home: Home?
  /// The list.
  var view: ScreenView
  /// The form for the input of a flow to start.
  var form: HomeForm?
  /// The preview of the selected flow.
  var preview: HomePreview?
  private(set) var notice: DisplayNotice?
  /// Whether the daemon is away.
  private(set) var isAway = false
  /// The flow that is being started.
  private(set) var starting: String?
  /// The flow tree that was shown last. It is selected when the list is written again.
  private var returnedFrom: ObjectPath?
  /// The texts that were typed in flows opened from here, and not sent.
  private var unsent: [UnsentText] = []
  var isHelping = false
  var helpScroll = Scroll()
  /// The last frame, which determines the target of a click.
  private(set) var frame = Frame(Size(columns: 0, rows: 0))

  init(name: String?, font: Symbols.Font, accent: Look.Colour = .magenta) {
    self.name = name
    self.accent = accent
    symbols = Symbols(font)
    view = Self.emptyView
  }

  /// Handles an input.
  ///
  /// - Parameters:
  ///   - input: input, passed in the order of the events.
  ///   - now: current time.
  /// - Returns: the effects, to be performed in this order.
  mutating func handle(_ input: Input, at now: Timestamp) -> [Effect] {
    switch input {
    case .key(let key): return take(key)
    case .interrupted: return [.leave(.interrupted)]
    case .terminalLost: return [.leave(.error)]
    case .beat:
      write(at: now)
      return isAway ? [] : [.refresh]
    case .news(.home(let home)):
      isAway = false
      self.home = home
      write(at: now)
    case .news(.away):
      isAway = true
      starting = nil
    case .news(.failed): break
    case .started(let tree):
      (starting, form) = (nil, nil)
      return [.open(tree)]
    case .refused(let error): return refused(error)
    case .returned(let tree, let notice, let unsent):
      self.notice = notice
      self.unsent += unsent
      if let sentence = unsent.last?.sentence {
        let news = notice.map { Text("{news} {unsent}", ["news": $0.text, "unsent": sentence]).string }
        self.notice = DisplayNotice(.warning, news ?? sentence)
      }
      view = Self.emptyView
      returnedFrom = tree
    }
    return []
  }

  /// The lines about unsent texts, for the end of the session.
  var unsentLines: [String] { unsent.flatMap(\.lines) }

  /// The entry that is selected.
  var selected: HomeEntry? {
    guard let id = view.rows.list?.chosen?.id else { return nil }
    return home?.entries.first { $0.key == id }
  }

  /// Draws a frame, and stores it for later clicks.
  mutating func draw(in size: Size, at now: Timestamp) -> Frame {
    frame = size.columns > 0 && size.rows > 0 ? drawn(in: size, at: now) : Frame(size)
    return frame
  }

  // MARK: Rows

  /// Rebuilds the rows, because they have changed or have become older.
  private mutating func write(at now: Timestamp) {
    guard let home else { return }
    let items = home.entries.map { entry in
      Item(
        entry.key, verbatim: entry.title(in: home.language).text,
        subtitle: entry.details(in: home.language, at: now.microseconds).joined(separator: symbols.separator), group: entry.group)
    }
    let isFirst = view.rows.list?.items.isEmpty ?? true
    // TRANSLATORS: The title of the list of all flows, where no theme says the name of the product.
    let title = name ?? Text("Flows").string
    view.update(to: Self.presented(Screen("home", kind: .list, title: title, items: items)))
    if isFirst { view.beginList(at: nil) }
    if let tree = returnedFrom.take() { view.beginList(at: HomeEntry.ID.running(tree).key) }
    if let form { self.form = home.startable.contains { $0.name == form.flow.name } ? form : nil }
  }

  private static var emptyView: ScreenView { ScreenView(presented(Screen("home", kind: .list, title: "", items: []))) }

  private static func presented(_ screen: Screen) -> PresentedScreen {
    PresentedScreen(id: 0, coordinator: Contract.flowsPath, style: .root, layer: 0, back: true, screen: screen)
  }

  // MARK: Keys

  private mutating func take(_ key: Key) -> [Effect] {
    if isHelping { return pressInHelp(key) }
    notice = nil
    guard starting == nil else { return [] }
    if form != nil { return takeInForm(key) }
    switch press(key, in: &view) {
    case .back, .leave: return [.leave(.success)]
    case .help: isHelping = true
    case .delegate: return selected.map { choose($0) } ?? []
    case .blocked(let reason): notice = DisplayNotice(.info, reason)
    case .edited, .moved, .rejected, nil: break
    }
    return []
  }

  private mutating func takeInForm(_ key: Key) -> [Effect] {
    guard var form else { return [] }
    let intent = press(key, in: &form.view)
    self.form = form
    switch intent {
    case .back, .leave, .delegate(HomeForm.cancel, _): self.form = nil
    case .help: isHelping = true
    case .delegate(_, let payload): return start(form.flow, input: payload)
    case .rejected(let count): notice = DisplayNotice(.error, FormReasons.summary(of: count))
    case .blocked(let reason): notice = DisplayNotice(.info, reason)
    case .edited, .moved, nil: break
    }
    return []
  }

  private func press(_ key: Key, in view: inout ScreenView) -> Intent? {
    guard case .click(let position) = key else { return view.handle(key) }
    return frame.target(at: position).flatMap { view.click($0) }
  }

  private mutating func pressInHelp(_ key: Key) -> [Effect] {
    switch key {
    case .down, .wheelDown: helpScroll.move(by: 1)
    case .up, .wheelUp: helpScroll.move(by: -1)
    case .pageDown: helpScroll.move(by: helpScroll.page)
    case .pageUp: helpScroll.move(by: -helpScroll.page)
    default: (isHelping, helpScroll) = (false, Scroll())
    }
    return []
  }

  // MARK: Opening

  private mutating func choose(_ entry: HomeEntry) -> [Effect] {
    guard !isAway else { return [] }
    switch entry {
    case .running(let flow): return [.open(flow.coordinator)]
    case .startable(let flow):
      guard flow.startsAtOnce else {
        form = HomeForm(flow, language: home?.language)
        return []
      }
      return start(flow, input: [:])
    }
  }

  private mutating func start(_ flow: FlowListing, input: [String: JSONValue]) -> [Effect] {
    guard !isAway else { return [] }
    starting = flow.name
    return [.start(flow.name, input: input)]
  }

  private mutating func refused(_ error: ClientError) -> [Effect] {
    let flow = starting
    starting = nil
    switch error {
    // The flow can run only once at a time, so the user wants the running one.
    case .refused(.alreadyRunning):
      if let running = home?.running.first(where: { $0.flow == flow }) { return [.open(running.coordinator)] }
    case .refused(.invalidPayload(_, let reasons)) where form != nil:
      let others = form?.view.reject(reasons) ?? [:]
      if !others.isEmpty { notice = DisplayNotice(.error, FormReasons(others, of: []).otherSentences.joined(separator: "; ")) }
      return []
    default: break
    }
    notice = DisplayNotice(.error, error.sentence)
    return []
  }
}

extension HomeEntry {
  fileprivate var key: String { id.key }
}

extension HomeEntry.ID {
  /// The id of the entry's row.
  fileprivate var key: String {
    switch self {
    case .running(let tree): "tree " + tree.string
    case .startable(let flow): "flow " + flow
    }
  }
}

/// The form for the input of a flow that is started from the front door.
struct HomeForm: Sendable, Hashable {
  /// The event of the choice that cancels.
  static let cancel = "cancel"

  let flow: FlowListing
  /// The form as a screen.
  var view: ScreenView

  init(_ flow: FlowListing, language: LanguageTag?) {
    self.flow = flow
    let input = flow.input ?? .object()
    let screen = Screen(
      "start", kind: .form, title: flow.readableTitle(in: language).text,
      body: flow.summary(in: language).text,
      actions: [
        .primary("start", Text("Start", context: "verb")), .cancel(Self.cancel, "Cancel"),
      ], form: try? Form(schema: input, order: input.fields.map(\.name)))
    view = ScreenView(
      PresentedScreen(id: 0, coordinator: Contract.flowsPath, style: .modal, layer: 1, back: true, screen: screen))
  }
}
