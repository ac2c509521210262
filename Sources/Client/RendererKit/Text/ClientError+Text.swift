import CoordinatorBus
import CoordinatorClient

extension ClientError {
  /// The lines that describe the error to users, and what they can do about it. Without a leading "error:".
  package var lines: [String] {
    switch self {
    case .noDaemon:
      return ["coordinatord is not on this bus", "  start it with: coordinatord &"]
    case .connection(.cannotConnect):
      return [description, "  use another bus with --address ADDRESS or --system"]
    case .refused(.invalidInput(_, let reasons)):
      return ["the flow does not accept this input"] + Self.lines(of: reasons)
    case .refused(.invalidPayload(_, let reasons)):
      return ["the screen does not accept these values"] + Self.lines(of: reasons)
    case .refused(.staleScreen(let message, _)):
      return [message.printable, "  see the current screen with: coordinatorctl show"]
    case .refused(.tokenInUse(let message)):
      return [message.printable, "  use another token, or free this one with 'coordinatorctl forget' once its flow has ended"]
    case .refused(.held(let message)):
      return [message.printable] + Self.heldAdvice
    default: return [description.printable]
    }
  }

  /// The advice for a flow that is held.
  package static let heldAdvice = [
    "  after fixing the cause, restore it with 'coordinatorctl retry', or end it with 'coordinatorctl dismiss'"
  ]

  private static func lines(of reasons: [String: String]) -> [String] {
    reasons.sorted { $0.key < $1.key }.map { "  \($0.key.printable): \($0.value.printable)" }
  }

  /// The exit code of a tool that fails with the error.
  public var exitCode: ToolExit {
    switch self {
    case .connection, .noDaemon: .noDaemon
    case .cancelled: .interrupted
    default: .error
    }
  }
}
