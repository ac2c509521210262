import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// The output of a command that changes a flow tree: the top screen, or the end of the flow.
struct ScreenReport {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Prints the top screen after a call, or the end of the flow.
  func print(_ revision: UInt64, _ root: ObjectPath) async throws(ToolFailure) {
    let number = JSONValue(count: revision)
    do {
      let window = try await session.window(of: root)
      session.output.say(
        window.top.map { [Self.summary(of: $0, session.output.style)] } ?? Self.nothing(in: window),
        json: ["revision": number, "window": JSONValue(window)])
    } catch {
      guard error.isUnknownObject else { throw ToolFailure(error) }
      let end =
        try await session.doing { () async throws(ClientError) in try await session.daemon.manager.outcome(of: root) } ?? .lost
      session.output.say(end.lines, json: ["revision": number, "outcome": .string(end.name), "result": .object(end.result)])
    }
  }

  /// Returns the reason why there is no screen, and advice.
  static func nothing(in window: MirroredWindow) -> [String] {
    window.heldReason.map { [$0] + ClientError.heldAdvice } ?? ["There is no screen at the moment."]
  }

  /// Describes a screen in one line: its name and its title.
  static func summary(of top: PresentedScreen, _ style: TextStyle) -> String {
    let dash = style.isUnicode ? "–" : "-"
    return "\(top.screen.name.printable) \(dash) \(top.screen.title.printable)"
  }
}
