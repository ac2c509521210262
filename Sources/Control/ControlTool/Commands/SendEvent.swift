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
    let payload = try session.object(assignments, top?.screen.form?.schema)
    let revision: UInt64
    do {
      revision = try await session.daemon.coordinator(top?.coordinator ?? root).delegate(
        screen: top?.id ?? 0, event: event, payload: payload,
        options: Options(request: request, seen: top == nil ? nil : window.revision))
    } catch {
      guard case .refused(.unknownEvent) = error, let top else { throw ToolFailure(error) }
      throw ToolFailure(error, advice: Self.events(of: top.screen, meant: event))
    }
    try await ScreenReport(session).print(revision, root)
  }

  /// Returns the events that the screen accepts, or the one that was probably meant.
  private static func events(of screen: Screen, meant event: String) -> [String] {
    let events = screen.actions.map(\.id) + (screen.items == nil ? [] : ["select id=ITEM"])
    if let best = Suggestion.best(for: event, among: events) { return ["  did you mean '\(best.printable)'?"] }
    return ["  the screen '\(screen.name.printable)' accepts: \(events.joined(separator: ", ").printable)"]
  }
}
