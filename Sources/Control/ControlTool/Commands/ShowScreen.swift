import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl show`: prints the top screen.
public struct ShowScreen: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the top screen of a flow tree; nil means the only active tree. For a tree that has ended, prints the end.
  ///
  /// - Parameters:
  ///   - tree: flow tree.
  ///   - view: parts of the window to print.
  /// - Returns: the exit code; an error if the pattern matches no item.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?, _ view: ScreenView = ScreenView()) async throws(ToolFailure) -> ToolExit {
    let root = try await session.knownRoot(tree)
    let (window, participants): (MirroredWindow, [Participant])
    do {
      (window, participants) = (try await session.window(of: root), try await session.participants(of: root))
    } catch {
      guard error.isUnknownObject, let end = try await end(of: root) else { throw ToolFailure(error) }
      session.output.say(end.lines, json: JSONValue(end))
      return .alreadyEnded
    }
    var shown = window
    shown.screens = try view.screens(of: window)
    let style = view.isPlain ? TextStyle(isUnicode: session.output.style.isUnicode) : session.output.style
    session.output.say(
      ScreenText(view: view, style: style).lines(of: shown, in: window, participants),
      json: JSONValue(shown).adding("renderers", .array(participants.map { JSONValue($0) })))
    return view.isMatched(by: shown) ? .success : .error
  }

  private func end(of root: ObjectPath) async throws(ToolFailure) -> FlowEnd? {
    try await session.doing { () async throws(ClientError) in try await session.daemon.manager.outcome(of: root) }
  }
}
