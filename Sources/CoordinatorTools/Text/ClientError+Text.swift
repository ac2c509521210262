import CoordinatorBus
import CoordinatorClient

extension ClientError {
  /// What a person reads about the error, and what they can do about it.
  ///
  /// - Parameter flows: The names of the flows that can be started, if they are known.
  /// - Returns: One line or more, without "error:" in front.
  public func lines(flows: [String] = []) -> [String] {
    switch self {
    case .noDaemon:
      return ["coordinatord is not on this bus", "  start it with: coordinatord --ephemeral"]
    case .connection(let error):
      return [error.description, "  is there a session bus? DBUS_SESSION_BUS_ADDRESS names it; or use --address or --system"]
    case .refused(.invalidInput(_, let reasons)):
      return ["the flow does not accept this input"] + Self.lines(of: reasons)
    case .refused(.invalidPayload(_, let reasons)):
      return ["this does not fit the screen"] + Self.lines(of: reasons)
    case .refused(.staleScreen(let message, let why)):
      let advice = why == .changed || why == .gone ? ["  look again with: coordinatorctl show"] : []
      return [message.printable] + advice
    default: return [description.printable]
    }
  }

  private static func lines(of reasons: [String: String]) -> [String] {
    reasons.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.printable)" }
  }

  /// What a tool exits with because of the error.
  public var exitCode: ToolExit {
    switch self {
    case .connection, .noDaemon: .noDaemon
    case .cancelled: .interrupted
    default: .error
    }
  }
}
