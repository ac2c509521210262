import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl send`: delegates an event to the coordinator of the top screen.
public struct SendEvent: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Delegates an event to the coordinator of the top screen, or to the root if there is no screen.
  ///
  /// - Parameters:
  ///   - words: flow tree, which may be omitted, event, and payload, which is typed by the schema of the screen.
  ///   - options: options of the command.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(_ words: [String], _ options: SendOptions = SendOptions()) async throws(ToolFailure) -> ToolExit {
    let running = SendArguments.mayOmitTree(words) ? try await names() : []
    let arguments = try SendArguments(words, running: running)
    let root = try await root(of: arguments)
    let window = try await session.doing { () async throws(ClientError) in try await session.window(of: root) }
    try options.expected.check(window)
    let top = window.top
    let payload = try payload(arguments, in: window, fillsIn: options.fillsIn)
    let revision: UInt64
    do {
      revision = try await session.namedDaemon.coordinator(top?.coordinator ?? root).delegate(
        screen: top?.id ?? 0, event: arguments.event, payload: payload,
        options: Options(request: options.request, seen: top == nil ? nil : options.expected.seen ?? window.revision))
    } catch {
      throw SendRefusal(arguments, tree: TreeSelector.name(root), window).failure(error)
    }
    guard options.waits else {
      try await ScreenReport(session).print(revision, root)
      return .success
    }
    let condition = WaitCondition(isIdle: true, revision: revision)
    let deadline = options.limit.map { ContinuousClock.now + .microseconds(Int64(clamping: $0)) }
    let verdict = try await TreeWait(session, root: root).run(until: condition, deadline: deadline)
    return try WaitReport(session).print(verdict, condition, after: revision)
  }

  private func names() async throws(ToolFailure) -> Set<String> {
    try await session.doing { () async throws(ClientError) in
      Set(try await session.daemon.manager.listActive().map { TreeSelector.name($0.coordinator) })
    }
  }

  /// Returns the tree to send to. If several run and the only word is the name of one, the event is missing.
  private func root(of arguments: SendArguments) async throws(ToolFailure) -> ObjectPath {
    do {
      return try await session.root(arguments.tree)
    } catch {
      guard arguments.tree == nil, error.cause == .error, try await names().contains(arguments.event) else { throw error }
      throw SendRefusal.missingEvent(of: arguments.event, offered: [])
    }
  }

  /// Builds the payload. A screen under review may be given by its name, which is easier to know than its number.
  private func payload(
    _ arguments: SendArguments, in window: MirroredWindow, fillsIn: Bool
  ) throws(ToolFailure) -> [String: JSONValue] {
    let (event, screen) = (arguments.event, window.top?.screen)
    let assignments = arguments.assignments(takesSeveral: screen?.choosing?.count != nil)
    if event == ReviewRow.change, let screen,
      let changes = Optional(ReviewChanges(on: screen, among: window.screens)), !changes.targets.isEmpty,
      assignments.count == 1, let first = assignments.first, first.key == "id", case .text(let name) = first.source,
      let id = changes.id(named: name)
    {
      return ReviewChanges.payload(id)
    }
    let payload = try session.object(assignments, Self.schema(of: event, on: screen))
    return fillsIn ? screen?.filledIn(payload, for: event) ?? payload : payload
  }

  /// Returns the schema that types the payload; nil if everything is text.
  private static func schema(of event: String, on screen: Screen?) -> Schema? {
    switch event {
    case Event.select where screen?.choosing?.count != nil:
      Form(Field("ids", .array(of: .string(title: "Item"), title: "Items"))).schema
    case ReviewRow.change where screen?.review.isEmpty == false: Form(Field("id", .integer(title: "Screen"))).schema
    default: screen?.form?.schema
    }
  }
}

/// The options of `coordinatorctl send`.
public struct SendOptions: Sendable, Hashable {
  /// The expected state of the flow tree.
  public var expected: SendGuard
  /// The request key, which makes the call safe to repeat; nil for none.
  public var request: String?
  /// Whether missing fields get the values that the screen proposes.
  public var fillsIn: Bool
  /// Whether to wait until the flow can take the next event.
  public var waits: Bool
  /// The maximum time to wait, in microseconds; nil for no limit.
  public var limit: UInt64?

  /// Creates options with the given values.
  public init(
    expected: SendGuard = SendGuard(), request: String? = nil, fillsIn: Bool = false, waits: Bool = false, limit: UInt64? = nil
  ) {
    self.expected = expected
    self.request = request
    self.fillsIn = fillsIn
    self.waits = waits
    self.limit = limit
  }
}

/// The state that the caller of `send` or `back` expects of the flow tree. A value that decides, without I/O.
public struct SendGuard: Sendable, Hashable {
  /// The names of screens, one of which must be on top; empty for any.
  public var screens: [String]
  /// The revision that the caller has seen; nil for the present one.
  public var seen: UInt64?

  /// Creates a guard; by default, one that expects nothing.
  public init(screens: [String] = [], seen: UInt64? = nil) {
    self.screens = screens
    self.seen = seen
  }

  /// Checks a window.
  ///
  /// - Throws: ``ToolFailure`` with a separate exit code if another screen is on top, if there is none, or if the revision is
  ///   in the future. The daemon decides whether the seen screen has changed.
  func check(_ window: MirroredWindow) throws(ToolFailure) {
    let top = window.top?.screen.name
    if !screens.isEmpty, !screens.contains(where: { $0 == top }) {
      let expected = screens.map { "'\($0.printable)'" }.joined(separator: " or ")
      throw ToolFailure(
        ["nothing was done: the screen on top is " + (top.map { "'\($0.printable)'" } ?? "none") + ", not \(expected)"],
        cause: .stale)
    }
    if seen != nil, top == nil {
      throw ToolFailure(["nothing was done: the flow shows no screen, so nothing of it was seen"], cause: .stale)
    }
    if let seen, seen > window.revision {
      throw ToolFailure(
        ["nothing was done: revision \(seen) is still to come; the present one is \(window.revision)"], cause: .stale)
    }
  }
}

/// The message for the caller of `send` when the daemon refuses. A value without I/O.
struct SendRefusal: Sendable {
  private let arguments: SendArguments
  private let tree: String
  private let window: MirroredWindow

  /// Describes a call.
  ///
  /// - Parameters:
  ///   - arguments: arguments of the command.
  ///   - tree: name of the tree that the event was sent to.
  ///   - window: window that the tree showed.
  init(_ arguments: SendArguments, tree: String, _ window: MirroredWindow) {
    self.arguments = arguments
    self.tree = tree
    self.window = window
  }

  /// Returns the failure for an error of the call, with advice.
  func failure(_ error: ClientError) -> ToolFailure {
    guard let screen = window.top?.screen else { return ToolFailure(error) }
    let event = arguments.event
    switch error {
    case .refused(.unknownEvent):
      if arguments.tree == nil, event == tree { return Self.missingEvent(of: tree, offered: Self.events(on: screen)) }
      guard screen.progress != nil else { return ToolFailure(error, advice: Self.suggestion(for: event, on: screen)) }
      var failure = ToolFailure(error, advice: Self.waiting(for: tree) + Self.suggestion(for: event, on: screen))
      if Self.events(on: screen).isEmpty {
        failure.lines[0] = "the screen '\(screen.name)' is busy, and takes no event before its work has ended".printable
      }
      return failure
    case .refused(.invalidPayload) where event == ReviewRow.change:
      return ToolFailure(error, advice: ReviewChanges(on: screen, among: window.screens).advice)
    case .refused(.invalidPayload) where event == Event.select && arguments.ids.isEmpty && arguments.assignments.isEmpty:
      return ToolFailure(error, advice: ["  choose an item with: coordinatorctl send \(tree.printable) select ITEM"])
    case .refused(.denied):
      var failure = ToolFailure(error)
      if let reason = screen.actions.first(where: { $0.id == event })?.disabled {
        failure.lines = ["'\(event)' cannot be chosen now: \(reason)".printable]
      }
      return failure
    default: return ToolFailure(error)
    }
  }

  /// Describes a call that names a tree, but no event.
  static func missingEvent(of tree: String, offered: [String]) -> ToolFailure {
    ToolFailure(
      ["'\(tree.printable)' is a flow tree, and the event is missing: coordinatorctl send \(tree.printable) EVENT"]
        + (offered.isEmpty ? [] : ["  events: \(offered.joined(separator: ", ").printable)"]),
      exit: .usage, name: "MissingEvent")
  }

  /// Returns the events that a screen accepts, as they are written on a command line.
  static func events(on screen: Screen) -> [String] {
    let select = screen.choosing?.count == nil ? "select ITEM" : "select ITEM ITEM"
    return screen.actions.map(\.id) + (screen.items == nil ? [] : [select])
      + (screen.review.isEmpty ? [] : ["\(ReviewRow.change) SCREEN"])
  }

  /// Returns the advice to wait until the flow can take an event.
  private static func waiting(for tree: String) -> [String] {
    ["  the flow is working: wait with 'coordinatorctl wait \(tree)', or send the event before this one with --wait".printable]
  }

  /// Returns the event that was probably meant. The daemon's message lists the events that the screen offers.
  private static func suggestion(for event: String, on screen: Screen) -> [String] {
    let events = events(on: screen)
    guard !events.contains(event), let best = Suggestion.best(for: event, among: events) else { return [] }
    return ["  did you mean '\(best.printable)'?"]
  }
}

/// The parsed arguments of `send [FLOW-TREE] EVENT [ITEM…] [key=value…]`.
public struct SendArguments: Sendable, Hashable {
  /// The events that take ids without a key: `select lamp` is `select id=lamp`.
  private static let shorthands: Set<String> = [Event.select, ReviewRow.change]

  /// The flow tree, or nil if none is named.
  public var tree: String?
  /// The name of the event.
  public var event: String
  /// The ids that are given without a key.
  public var ids: [String] = []
  /// The payload of the event.
  public var assignments: [Assignment]

  /// Parses the arguments. An assignment contains `=`; the names before the first assignment do not.
  ///
  /// - Parameters:
  ///   - words: arguments in their order.
  ///   - running: names of the flow trees that run. One may have the name of an event that takes ids.
  /// - Throws: ``ToolFailure`` with the exit code for a usage error.
  public init(_ words: [String], running: Set<String> = []) throws(ToolFailure) {
    let names = Array(words.prefix { !Assignment.isAssignment($0) })
    switch names.count {
    case 1: (tree, event) = (nil, names[0])
    case 2 where !Self.mayOmitTree(words) || running.contains(names[0]): (tree, event) = (names[0], names[1])
    case 3... where Self.shorthands.contains(names[1]): (tree, event, ids) = (names[0], names[1], Array(names[2...]))
    case 2... where Self.mayOmitTree(words): (tree, event, ids) = (nil, names[0], Array(names[1...]))
    default:
      throw ToolFailure(
        [
          "send requires one event, and a flow tree if several are running: send [FLOW-TREE] EVENT [key=value ...]",
          "  items of a list are chosen with: send [FLOW-TREE] select ITEM",
        ], exit: .usage)
    }
    assignments = try Assignment.all(words.dropFirst(names.count))
  }

  /// Returns whether the first word may be an event that takes ids, so that the names of running flow trees are needed.
  static func mayOmitTree(_ words: [String]) -> Bool { words.count > 1 && shorthands.contains(words[0]) }

  /// Returns the assignments on a screen, with the ids that are given without a key.
  ///
  /// - Parameter takesSeveral: whether several items of the screen's list can be chosen.
  /// - Returns: the assignments, those from ids last.
  func assignments(takesSeveral: Bool) -> [Assignment] {
    guard !ids.isEmpty else { return assignments }
    let isList = event == Event.select && (takesSeveral || ids.count > 1)
    let given: [Assignment] =
      isList
      ? [Assignment(key: "ids", source: .json(.array(ids.map(JSONValue.string))))]
      : ids.map { Assignment(key: "id", source: .text($0)) }
    return given + assignments
  }
}
