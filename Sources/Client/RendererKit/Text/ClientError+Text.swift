import CoordinatorBus
import CoordinatorClient
import Languages

extension ClientError {
  /// The lines that describe the error and its remedy to users. Without a leading "error:".
  package var lines: [String] {
    switch self {
    case .noDaemon where Contract.busName != DaemonName.standard.busName:
      return [
        Text("{name} is not on this bus", ["name": Contract.busName]).string,
        "  " + Text("start that daemon, or install the activation file for its name").string,
      ]
    case .noDaemon:
      return [
        Text("coordinatord is not on this bus").string,
        "  " + Text("start it with: {command}", ["command": "coordinatord &"]).string,
      ]
    case .connection(.cannotConnect):
      return [description, "  " + Text("use another bus with --address ADDRESS or --system").string]
    case .refused(.invalidInput(_, let reasons)):
      return [Text("the flow does not accept this input").string] + Self.lines(of: reasons)
    case .refused(.invalidPayload(_, let reasons)):
      return [Text("the screen does not accept these values").string] + Self.lines(of: reasons)
    case .refused(.staleScreen(let message, _)):
      return [
        message.printable, "  " + Text("see the current screen with: {command}", ["command": "coordinatorctl show"]).string,
      ]
    case .refused(.tokenInUse(let message)):
      return [
        message.printable,
        "  " + Text("use another token, or free this one with 'coordinatorctl forget' once its flow has ended").string,
      ]
    case .refused(.held(let message)):
      return [message.printable] + Self.heldAdvice
    default: return [description.printable]
    }
  }

  /// The advice for a flow that is held.
  package static var heldAdvice: [String] {
    [
      "  "
        + Text("after fixing the cause, restore it with 'coordinatorctl retry', or end it with 'coordinatorctl dismiss'").string
    ]
  }

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
