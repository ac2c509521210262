import CoordinatorKit

/// The errors that the contract adds to the standard ones of D-Bus.
///
/// Each carries a message for people; some also carry machine-readable details.
public enum ContractError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No flow has that name.
  case unknownFlow(message: String)
  /// The flow does not accept this input. `reasons` is keyed by input key.
  case invalidInput(message: String, reasons: [String: String])
  /// The token belongs to another flow or another input.
  case tokenInUse(message: String)
  /// At most one instance of the flow runs at a time, and one does.
  case alreadyRunning(message: String)
  /// No screen in this tree ever had that id.
  case unknownScreen(message: String)
  /// The screen existed, but cannot be acted on now.
  case staleScreen(message: String, why: Staleness)
  /// The screen does not offer that event now, or no coordinator takes it.
  case unknownEvent(message: String)
  /// The payload violates the screen's schema. `reasons` is keyed by field.
  case invalidPayload(message: String, reasons: [String: String])
  /// The screen or coordinator cannot be left this way.
  case notDismissable(message: String)
  /// A guard refused the call; the message is its reason.
  case denied(message: String)
  /// The coordinator failed while it handled the call, and has ended. `code` is for programs. A technical message is not shown
  /// to users.
  case flowFailed(message: String, code: String, isTechnical: Bool = false)
  /// The transition could not be made durable; nothing has changed.
  case notStored(message: String)
  /// The flow's tree is held: events do not reach it, and it keeps its state. The message says why.
  case held(message: String)
  /// The process that serves the flow is not running, and cannot be started.
  case providerGone(message: String)
  /// The process that serves the flow has not decided in time.
  case providerTimeout(message: String)
  /// The process that serves the flow has given an answer that cannot be used.
  case providerFailed(message: String)
  /// The caller itself serves the flow, so it could not answer while its call waits.
  case wouldWait(message: String)
  /// Other connections serve these flows; `owners` maps each flow to its connection's name.
  case flowTaken(message: String, owners: [String: String])

  /// The message for people.
  public var message: String {
    switch self {
    case .unknownFlow(let message), .invalidInput(let message, _), .tokenInUse(let message),
      .unknownScreen(let message), .staleScreen(let message, _), .unknownEvent(let message),
      .invalidPayload(let message, _), .notDismissable(let message), .denied(let message),
      .flowFailed(let message, _, _), .notStored(let message), .held(let message), .alreadyRunning(let message),
      .providerGone(let message), .providerTimeout(let message), .providerFailed(let message),
      .wouldWait(let message), .flowTaken(let message, _):
      message
    }
  }

  /// The last element of the error's name on the bus, such as `StaleScreen`.
  public var shortName: String {
    switch self {
    case .unknownFlow: "UnknownFlow"
    case .invalidInput: "InvalidInput"
    case .tokenInUse: "TokenInUse"
    case .alreadyRunning: "AlreadyRunning"
    case .unknownScreen: "UnknownScreen"
    case .staleScreen: "StaleScreen"
    case .unknownEvent: "UnknownEvent"
    case .invalidPayload: "InvalidPayload"
    case .notDismissable: "NotDismissable"
    case .denied: "Denied"
    case .flowFailed: "FlowFailed"
    case .notStored: "NotStored"
    case .held: "Held"
    case .providerGone: "ProviderGone"
    case .providerTimeout: "ProviderTimeout"
    case .providerFailed: "ProviderFailed"
    case .wouldWait: "WouldWait"
    case .flowTaken: "FlowTaken"
    }
  }

  /// The reason why each field of a payload, or each key of an input, is invalid. Empty for all other errors.
  public var reasons: [String: String] {
    switch self {
    case .invalidInput(_, let reasons), .invalidPayload(_, let reasons): reasons
    default: [:]
    }
  }

  /// The same as ``message``.
  public var description: String { message }
}
