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

extension ClientError {
  /// The exit code for the cause of the error, for tools with one code for each cause; others use ``exitCode``.
  public var cause: ToolExit {
    switch self {
    case .refused(let refusal): refusal.cause
    case .failed(let error) where error.isStandard("AccessDenied"): .denied
    case .failed(let error) where error.isStandard("LimitsExceeded"): .unavailable
    case _ where isUnknownObject: .unknown
    default: exitCode
    }
  }
}

extension ContractError {
  fileprivate var cause: ToolExit {
    switch self {
    case .staleScreen, .unknownScreen: .stale
    case .denied, .mayNotAnswer, .notDismissable: .denied
    case .invalidInput, .invalidPayload: .invalid
    case .unknownFlow, .unknownEvent: .unknown
    case .held: .held
    case .notStored, .providerGone, .providerTimeout, .wouldWait, .alreadyRunning: .unavailable
    case .flowFailed: .failed
    case .tokenInUse, .providerFailed, .flowTaken: .error
    }
  }
}

extension ClientError {
  /// A sentence for a user who answers a flow, in the current language. It omits the reason why a program has failed, which
  /// administrators find in the log. It includes the daemon's reason why a disk could not be written.
  package var sentence: String {
    switch self {
    case .refused(let refusal): refusal.sentence
    case .failed(let error) where error.isStandard("LimitsExceeded"):
      Text("A limit was reached: {reason}", ["reason": error.message.printable]).string
    case .noDaemon: Text("There is no connection at the moment.").string
    case .failed, .connection, .malformedAnswer, .cancelled:
      Text("This was not accepted: {reason}", ["reason": description.printable]).string
    }
  }
}

extension ContractError {
  /// Returns the title of a payload's key; the keys of a list's rows have no title.
  private static func title(of key: String) -> String {
    ["id", "ids"].contains(key) ? Text("Your choice").string : key.printable
  }

  /// A sentence for a user who answers a flow, in the current language.
  package var sentence: String {
    let reason: Text.Values = ["reason": message.printable]
    return switch self {
    case .denied: message.printable
    case .mayNotAnswer: Text("You can see this, but not answer it: {reason}", reason).string
    case .held, .providerFailed: Text("This step cannot continue at the moment. What was entered so far is kept.").string
    case .invalidPayload, .invalidInput:
      reasons.sorted { $0.key < $1.key }
        .map { FormReasons.sentence($0.value.printable, about: Self.title(of: $0.key)) }.joined(separator: "; ")
    case .staleScreen(_, .changed): Text("This screen has changed in the meantime.").string
    case .staleScreen, .unknownScreen: Text("Someone else has answered this screen.").string
    case .notDismissable: Text("There is no way back from this screen.").string
    case .flowFailed(_, let code, isTechnical: true): FlowEnd.sentence(ofFailure: code)
    case .flowFailed: Text("The flow has failed: {reason}", reason).string
    case .notStored: Text("This could not be stored, so nothing has changed: {reason}", reason).string
    case .providerGone: Text("The program behind this flow is not running.").string
    case .providerTimeout: Text("The program behind this flow does not answer.").string
    case .unknownFlow: Text("There is no such flow.").string
    case .alreadyRunning: Text("This flow is running already, and there can be only one.").string
    case .tokenInUse, .unknownEvent, .wouldWait, .flowTaken:
      Text("This was not accepted: {reason}", reason).string
    }
  }
}

/// The messages of terminals about the connection to the daemon. They do not name the daemon, which its users do not know.
public enum ConnectionNews {
  /// The message for a lost connection.
  public static var lost: String { Text("The connection was lost. Waiting for it to come back.").string }
  /// The message for a restored connection.
  public static var back: String { Text("The connection is back.").string }
}
