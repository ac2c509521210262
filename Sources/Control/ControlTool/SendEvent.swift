import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
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
      revision = try await session.daemon.coordinator(top?.coordinator ?? root).delegate(
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
