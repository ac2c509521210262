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
  ///   - event: name of the event.
  ///   - assignments: payload of the event, typed by the schema of the screen.
  ///   - tree: flow tree; nil for the only active one.
  ///   - request: request key, which makes the call safe to repeat.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ event: String, _ assignments: [Assignment], to tree: String?, request: String?
  ) async throws(ToolFailure) {
    let root = try await session.root(tree)
    let window = try await session.doing { () async throws(ClientError) in try await session.window(of: root) }
    let top = window.top
    let changes = top.map { ReviewChanges(on: $0.screen, among: window.screens) }
    let payload = try payload(event, assignments, on: top?.screen, changes)
    let revision: UInt64
    do {
      revision = try await session.daemon.coordinator(top?.coordinator ?? root).delegate(
        screen: top?.id ?? 0, event: event, payload: payload,
        options: Options(request: request, seen: top == nil ? nil : window.revision))
    } catch {
      throw failure(error, event, on: top?.screen, changes)
    }
    try await ScreenReport(session).print(revision, root)
  }

  /// Builds the payload. A screen under review may be named by its name, which is easier to know than its number.
  private func payload(
    _ event: String, _ assignments: [Assignment], on screen: Screen?, _ changes: ReviewChanges?
  ) throws(ToolFailure) -> [String: JSONValue] {
    var payload = try session.object(assignments, Self.schema(of: event, on: screen))
    if event == ReviewRow.change, let changes, !changes.targets.isEmpty, let name = payload["id"]?.string,
      let id = changes.id(named: name)
    {
      payload = payload.merging(ReviewChanges.payload(id)) { $1 }
    }
    return payload
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

  private func failure(
    _ error: ClientError, _ event: String, on screen: Screen?, _ changes: ReviewChanges?
  ) -> ToolFailure {
    guard let screen else { return ToolFailure(error) }
    switch error {
    case .refused(.unknownEvent): return ToolFailure(error, advice: Self.suggestion(for: event, on: screen))
    case .refused(.invalidPayload) where event == ReviewRow.change: return ToolFailure(error, advice: changes?.advice ?? [])
    case .refused(.denied):
      var failure = ToolFailure(error)
      if let reason = screen.actions.first(where: { $0.id == event })?.disabled {
        failure.lines = ["'\(event)' cannot be chosen now: \(reason)".printable]
      }
      return failure
    default: return ToolFailure(error)
    }
  }

  /// Returns the event that was probably meant. The daemon's message lists what the screen offers.
  private static func suggestion(for event: String, on screen: Screen) -> [String] {
    let select = screen.choosing?.count == nil ? "select id=ITEM" : "select ids=ITEM ids=ITEM"
    let events =
      screen.actions.map(\.id) + (screen.items == nil ? [] : [select])
      + (screen.review.isEmpty ? [] : ["\(ReviewRow.change) id=SCREEN"])
    guard !events.contains(event), let best = Suggestion.best(for: event, among: events) else { return [] }
    return ["  did you mean '\(best.printable)'?"]
  }
}
