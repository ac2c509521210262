import CoordinatorBus
import CoordinatorClient
import Languages

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
