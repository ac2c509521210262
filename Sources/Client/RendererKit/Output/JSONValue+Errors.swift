import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

extension JSONValue {
  /// Encodes an error of a call: its D-Bus name, its message, and its details.
  public init(_ error: ClientError) {
    var object: [String: JSONValue] = ["message": .string(error.description)]
    switch error {
    case .refused(let refusal):
      object["name"] = .string(refusal.dbusError.name)
      if !refusal.reasons.isEmpty { object["fields"] = .object(refusal.reasons.mapValues(JSONValue.string)) }
      if case .staleScreen(_, let why) = refusal { object["why"] = .string(why.rawValue) }
      if case .flowFailed(_, let code, _) = refusal { object["code"] = .string(code) }
    case .failed(let failure): object["name"] = .string(failure.name)
    case .connection: object["name"] = "NoBus"
    case .noDaemon: object["name"] = .string(ToolExit.noDaemon.word)
    case .malformedAnswer: object["name"] = "MalformedReply"
    case .cancelled: object["name"] = .string(ToolExit.interrupted.word)
    }
    self = ["error": .object(object)]
  }
}
