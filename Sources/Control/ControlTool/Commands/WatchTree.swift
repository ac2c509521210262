import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import LinearTerminal
import RendererKit

/// `coordinatorctl watch`: follows a flow tree until it ends.
public struct WatchTree: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints the events of a flow tree until it ends; nil means the only active tree.
  ///
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(_ tree: String?) async throws(ToolFailure) -> ToolExit {
    let root = try await session.root(tree)
    return try await session.doing { () async throws(ClientError) in
      let mirror = try await WindowMirror.attach(to: root, of: session.daemon, kind: "watch")
      for try await event in mirror.events {
        session.output.say(lines(for: event), json: JSONValue(event))
        if case .ended(let end) = event { return end.exitCode }
      }
      return .success
    }
  }

  private func lines(for event: WindowEvent) -> [String] { event.lines(style: session.output.style) }
}

extension WindowEvent {
  /// Returns the lines that describe the event to users.
  func lines(style: TextStyle) -> [String] {
    switch self {
    case .window(let window):
      ["\(window.revision)  " + (window.top.map { ScreenReport.summary(of: $0, style) } ?? window.heldReason ?? "nothing")]
    case .progress(let screen, let progress):
      ["screen \(screen): " + LinearRenderer(style: style).line(for: progress)]
    case .drafted(let screen, let draft):
      draft.isEmpty
        ? ["screen \(screen): no unsent values"]
        : ["screen \(screen): unsent values: \(draft.keys.sorted().joined(separator: ", "))"]
    case .language(let language): ["language: \(language.bcp47)"]
    case .typing(let screen, let participant): ["screen \(screen): typing: \(participant.title)"]
    case .participants(let participants): ["here: " + participants.flatMap(\.titles).joined(separator: ", ")]
    case .answered(let answer): ["screen \(answer.screen): " + answer.sentence]
    case .daemonLost: ["coordinatord has left the bus"]
    case .daemonBack: ["coordinatord is back"]
    case .ended(let end): end.lines
    }
  }
}
