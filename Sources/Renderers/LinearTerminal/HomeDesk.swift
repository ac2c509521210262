import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import RendererKit

/// Guides a user from the front door to a flow: a ``Conversation`` about ``HomeScreens``. A value that makes the
/// decisions, without I/O.
struct HomeDesk: Sendable {
  /// Something that happened.
  enum Input: Sendable, Hashable {
    /// The running flows have changed.
    case news(HomeNews)
    /// The user has entered input.
    case conversation(Conversation.Input)
    /// The daemon refused to start a flow.
    case refused(ClientError)
  }

  /// An effect to perform.
  enum Effect: Sendable, Hashable {
    /// Perform an effect of the conversation, such as printing lines.
    case write(Conversation.Effect)
    /// Show a flow that runs.
    case open(ObjectPath)
    /// Start a flow with this input, and show it, or report `refused`.
    case start(String, [String: JSONValue])
    /// Stop with this exit code.
    case leave(ToolExit)
  }

  private var conversation: Conversation
  private var screens: HomeScreens?
  private var isAway = false

  /// Creates a front door that has not been read.
  init(style: TextStyle, isInteractive: Bool) {
    conversation = Conversation(tree: nil, style: style, isInteractive: isInteractive)
  }

  /// Whether the front door was shown.
  var isOpen: Bool { screens != nil }

  /// Handles an input at a time.
  mutating func handle(_ input: Input, at now: Timestamp) -> [Effect] {
    switch input {
    case .news(.home(let home)): return take(home, at: now)
    case .news(.away):
      isAway = true
      return effects(of: conversation.handle(.event(.daemonLost)))
    case .news(.failed): return []
    case .conversation(let input): return effects(of: conversation.handle(input))
    case .refused(let error): return effects(of: conversation.handle(.refused(error.asRefusedForm)))
    }
  }

  /// Adopts the running flows. Only flows that have started or ended are printed, because the step and the age of each flow may
  /// change constantly.
  private mutating func take(_ home: Home, at now: Timestamp) -> [Effect] {
    guard let former = screens else {
      let screens = HomeScreens(home, at: now)
      self.screens = screens
      return effects(of: conversation.handle(.event(.window(screens.window))))
    }
    // A script answers the list that it has read.
    guard conversation.isInteractive else { return [] }
    var screens = former
    screens.update(to: home, at: now)
    self.screens = screens
    guard isAway else {
      conversation.adopt(screens.updatingDetails(of: former))
      return effects(of: conversation.handle(.event(.window(screens.window))))
    }
    isAway = false
    _ = conversation.handle(.event(.window(screens.window)))
    let back = conversation.handle(.event(.daemonBack)).filter { if case .print = $0 { true } else { false } }
    return effects(of: back + conversation.show())
  }

  private mutating func effects(of effects: [Conversation.Effect]) -> [Effect] {
    var result: [Effect] = []
    for effect in effects {
      switch effect {
      case .leave(let exit): result.append(.leave(exit))
      case .delegate(let delegation): result += choose(delegation)
      case .back: result += ask(nil)
      case .print, .prompt, .withdrawPrompt, .interruptPrompt: result.append(.write(effect))
      case .saveDraft, .countOthers: break
      }
    }
    return result
  }

  private mutating func choose(_ delegation: Delegation) -> [Effect] {
    switch screens?.choice(delegation) {
    case .attach(let flow): [.open(flow.coordinator)]
    case .start(let flow, let input): [.start(flow.name, input)]
    case .ask: ask(screens?.flow(delegation))
    case nil:
      effects(of: conversation.handle(.refused(.refused(.denied(message: Text("This flow has ended.").string)))))
    }
  }

  /// Shows the form of a flow's input, or the list again.
  private mutating func ask(_ flow: FlowListing?) -> [Effect] {
    guard var screens else { return [] }
    screens.ask(flow)
    self.screens = screens
    let shown = conversation.handle(.event(.window(screens.window)))
    return effects(of: shown + conversation.handle(.accepted(revision: screens.revision)))
  }
}

extension ClientError {
  /// The error in the form of a refusal of the input's form.
  fileprivate var asRefusedForm: ClientError {
    guard case .refused(.invalidInput(let message, let reasons)) = self else { return self }
    return .refused(.invalidPayload(message: message, reasons: reasons))
  }
}

/// Lists the running flows and the flows that can be started, line by line, and shows the user's choice.
struct LinearFrontDoor: Sendable {
  private enum Decision: Sendable {
    case open(ObjectPath)
    case leave(ToolExit)
  }

  private enum News: Sendable {
    case home(HomeNews)
    case line(LineReader.Line)
    case started(ObjectPath)
    case refused(ClientError)
  }

  let daemon: DaemonClient
  let reader: LineReader
  let style: TextStyle
  let kind: LinearTerminal.Kind
  let write: @Sendable (String) -> Void

  /// Shows the front door, and one flow after the other, until the user leaves. Over a pipe, shows one flow.
  ///
  /// - Returns: the exit code; over a pipe, that of the flow.
  /// - Throws: `ClientError` if the daemon cannot be reached, or the connection to the bus is lost.
  func run() async throws(ClientError) -> ToolExit {
    while true {
      switch try await choose() {
      case .leave(let exit): return exit
      case .open(let tree):
        let flow = TerminalSession(daemon: daemon, tree: tree, reader: reader, style: style, kind: kind, write: write)
        let exit = try await flow.run()
        if kind == .pipe || reader.isAtEnd { return exit }
      }
    }
  }

  private func choose() async throws(ClientError) -> Decision {
    let watch = try await HomeWatch.begin(of: daemon, language: daemon.language)
    let (news, continuation) = AsyncStream.makeStream(of: News.self)
    let homes = Task { for await piece in watch.news { continuation.yield(.home(piece)) } }
    let lines = Task { for await line in reader.lines { continuation.yield(.line(line)) } }
    defer {
      homes.cancel()
      lines.cancel()
      TerminalEcho.turnOn()
    }
    let decision = try await converse(news) { continuation.yield($0) }
    await watch.close()
    return decision
  }

  private func converse(
    _ news: AsyncStream<News>, tell: @escaping @Sendable (News) -> Void
  ) async throws(ClientError) -> Decision {
    var desk = HomeDesk(style: style, isInteractive: kind != .pipe)
    var terminal = ConversationTerminal(kind, reader: reader, write: write)
    for await piece in news {
      let input: HomeDesk.Input
      switch piece {
      case .home(.failed(let error)): throw error
      case .home(.away) where !desk.isOpen: throw .noDaemon
      case .home(let news): input = .news(news)
      case .line(.text(let text)):
        terminal.answered(text)
        input = .conversation(.line(text))
      case .line(.end):
        terminal.answered(nil)
        input = .conversation(.endOfInput)
      case .started(let tree): return .open(tree)
      case .refused(let error): input = .refused(error)
      }
      for effect in RendererLanguages.standard.speaking(nil, { desk.handle(input, at: .now) }) {
        switch effect {
        case .write(let effect): terminal.show(effect)
        case .open(let tree): return .open(tree)
        case .leave(let exit): return .leave(exit)
        case .start(let flow, let input): Task { tell(await start(flow, input)) }
        }
      }
    }
    return .leave(.success)
  }

  private func start(_ flow: String, _ input: [String: JSONValue]) async -> News {
    do throws(ClientError) {
      return .started(try await daemon.manager.startFlow(flow, input: input).coordinator)
    } catch {
      return .refused(error)
    }
  }
}

/// The front door as screens that a ``Conversation`` shows like those of a flow: a list of the running flows and of those that
/// can be started, and the input form of a flow.
struct HomeScreens: Sendable {
  /// The decision of the user.
  enum Choice: Sendable, Hashable {
    /// Attach to a flow that runs.
    case attach(RunningFlow)
    /// Start a flow with this input.
    case start(FlowListing, [String: JSONValue])
    /// Ask for the input of the flow.
    case ask
  }

  /// The id of the screen with the list.
  private static let listID: UInt64 = 1
  /// The action that starts the flow of a form.
  private static let startID = "start"

  /// The running flows, and the flows that can be started.
  private(set) var home: Home
  private var time: Timestamp
  /// The flow for whose input the form asks.
  private(set) var asked: FlowListing?
  private var formID = listID
  /// The revision of the window, which each change increases.
  private(set) var revision: UInt64 = 1

  /// Creates the screens of a front door that was read at a time.
  init(_ home: Home, at time: Timestamp) {
    self.home = home
    self.time = time
  }

  /// Adopts the flows that run now.
  mutating func update(to home: Home, at time: Timestamp) {
    self.home = home
    self.time = time
    revision += 1
  }

  /// Asks for the input of a flow; nil returns to the list.
  mutating func ask(_ flow: FlowListing?) {
    asked = flow
    if flow != nil { formID += 1 }
    revision += 1
  }

  /// Returns the user's choice for an event; nil if the chosen entry has disappeared.
  func choice(_ delegation: Delegation) -> Choice? {
    if delegation.screen == formID, let asked { return .start(asked, delegation.payload) }
    guard let id = delegation.payload["id"]?.string, let entry = entries[id] else { return nil }
    switch entry {
    case .running(let flow): return .attach(flow)
    case .startable(let flow): return flow.startsAtOnce ? .start(flow, [:]) : .ask
    }
  }

  /// Returns the flow that a choice is about; nil for a running flow.
  func flow(_ delegation: Delegation) -> FlowListing? {
    guard let id = delegation.payload["id"]?.string, case .startable(let flow)? = entries[id] else { return nil }
    return flow
  }

  /// The screens as the window of a flow tree.
  var window: MirroredWindow { window(of: list) }

  /// Returns the window of the screens that were shown before, with the current details of each flow, but without added or
  /// removed flows.
  func updatingDetails(of former: HomeScreens) -> MirroredWindow {
    let new = Dictionary((list.items ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var screen = former.list
    screen.items = screen.items?.map { new[$0.id] ?? $0 }
    return window(of: screen)
  }

  private func window(of list: Screen) -> MirroredWindow {
    let below = PresentedScreen(
      id: Self.listID, coordinator: Contract.rootPath, style: .push, layer: 0, back: false, screen: list)
    let above = asked.map { flow in
      PresentedScreen(
        id: formID, coordinator: Contract.rootPath, style: .push, layer: 0, back: true, screen: form(of: flow))
    }
    return MirroredWindow(revision: revision, screens: [below] + (above.map { [$0] } ?? []), language: home.language ?? .english)
  }

  // MARK: Screens

  /// The entries by the ids of their rows, which a user can also type on the command line.
  private var entries: [String: HomeEntry] {
    Dictionary(home.entries.map { (id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func id(of entry: HomeEntry) -> String {
    switch entry {
    case .running(let flow): return flow.name
    case .startable(let flow):
      // A token may have the name of a flow.
      let isTaken = home.running.contains { $0.name == flow.name }
      return isTaken ? "start \(flow.name)" : flow.name
    }
  }

  private var list: Screen {
    let items = home.entries.map { entry in
      Item(
        id(of: entry), verbatim: entry.title(in: home.language).text,
        subtitle: entry.details(in: home.language, at: time.microseconds).joined(separator: "; "), group: entry.group)
    }
    let body: Text = items.isEmpty ? "No flow runs, and none can be started." : ""
    return .list("home", title: "Flows", body: body, items: items)
  }

  private func form(of flow: FlowListing) -> Screen {
    .form(
      "input", title: Text(verbatim: flow.readableTitle(in: home.language).text),
      body: Text(verbatim: flow.summary(in: home.language).text), form: Form(flow.input?.fields ?? []),
      actions: [.primary(Self.startID, Text("Start", context: "button"))])
  }
}
