import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The front door as screens that a ``Conversation`` shows like those of a flow: a list of what runs and what can be
/// started, and the input of a flow that asks for one.
struct HomeScreens: Sendable {
  /// What the user decided on.
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

  /// What runs, and what can be started.
  private(set) var home: Home
  private var time: Timestamp
  /// The flow whose input is asked for.
  private(set) var asked: FlowListing?
  private var formID = listID
  /// The revision of the window, which each change increases.
  private(set) var revision: UInt64 = 1

  /// Creates the screens of a front door that was read at a time.
  init(_ home: Home, at time: Timestamp) {
    self.home = home
    self.time = time
  }

  /// Takes over what runs now.
  mutating func update(to home: Home, at time: Timestamp) {
    self.home = home
    self.time = time
    revision += 1
  }

  /// Asks for the input of a flow, or for none.
  mutating func ask(_ flow: FlowListing?) {
    asked = flow
    if flow != nil { formID += 1 }
    revision += 1
  }

  /// Returns what the user decided on by an event; nil if that has gone meanwhile.
  func choice(_ delegation: Delegation) -> Choice? {
    if delegation.screen == formID, let asked { return .start(asked, delegation.payload) }
    guard let id = delegation.payload["id"]?.string, let entry = entries[id] else { return nil }
    switch entry {
    case .running(let flow): return .attach(flow)
    case .startable(let flow): return flow.startsAtOnce ? .start(flow, [:]) : .ask
    }
  }

  /// Returns the flow that a choice is about; nil for a flow that runs.
  func flow(_ delegation: Delegation) -> FlowListing? {
    guard let id = delegation.payload["id"]?.string, case .startable(let flow)? = entries[id] else { return nil }
    return flow
  }

  /// The screens as the window of a flow tree.
  var window: MirroredWindow { window(of: list) }

  /// Returns the window of the screens that were shown before, in which each flow says what it does now, but none has come
  /// or gone.
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

  /// The entries by the ids of their rows: what a user types on the command line.
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
