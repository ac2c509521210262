import CoordinatorKit
import DBus
import Platform

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
  /// The caller may see the tree, but not answer it; the message says who may.
  case mayNotAnswer(message: String)
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
      .wouldWait(let message), .flowTaken(let message, _), .mayNotAnswer(let message):
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
    case .mayNotAnswer: "MayNotAnswer"
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

extension ContractError {
  /// The error's representation on the bus.
  public var dbusError: DBusError {
    let extra: [Value] =
      switch self {
      case .staleScreen(_, let why): [.string(why.rawValue)]
      case .invalidInput(_, let reasons), .invalidPayload(_, let reasons): [Self.value(of: reasons)]
      case .flowTaken(_, let owners): [Self.value(of: owners)]
      case .flowFailed(_, let code, let isTechnical): [.string(code)] + (isTechnical ? [.boolean(true)] : [])
      default: []
      }
    return DBusError(name: Contract.errorPrefix + shortName, message: message, extra: extra)
  }

  /// Decodes an error received from the bus; returns nil if it is not one of the contract's errors or its body does not match
  /// the contract.
  ///
  /// - Parameter error: the error that a call was answered with.
  public init?(_ error: DBusError) {
    guard let name = error.name.bytes.dropping(prefix: Contract.errorPrefix) else { return nil }
    let message = error.message
    switch name {
    case "UnknownFlow": self = .unknownFlow(message: message)
    case "AlreadyRunning": self = .alreadyRunning(message: message)
    case "TokenInUse": self = .tokenInUse(message: message)
    case "UnknownScreen": self = .unknownScreen(message: message)
    case "UnknownEvent": self = .unknownEvent(message: message)
    case "NotDismissable": self = .notDismissable(message: message)
    case "Denied": self = .denied(message: message)
    case "MayNotAnswer": self = .mayNotAnswer(message: message)
    // Daemons before 0.2 sent no code.
    case "FlowFailed":
      self = .flowFailed(
        message: message, code: error.extra.first?.string ?? "", isTechnical: error.extra.dropFirst().first?.bool ?? false)
    case "NotStored": self = .notStored(message: message)
    case "Held": self = .held(message: message)
    case "ProviderGone": self = .providerGone(message: message)
    case "ProviderTimeout": self = .providerTimeout(message: message)
    case "ProviderFailed": self = .providerFailed(message: message)
    case "WouldWait": self = .wouldWait(message: message)
    case "FlowTaken": self = .flowTaken(message: message, owners: Self.reasons(in: error) ?? [:])
    case "InvalidInput":
      guard let reasons = Self.reasons(in: error) else { return nil }
      self = .invalidInput(message: message, reasons: reasons)
    case "InvalidPayload":
      guard let reasons = Self.reasons(in: error) else { return nil }
      self = .invalidPayload(message: message, reasons: reasons)
    case "StaleScreen":
      guard let why = error.extra.first?.string.flatMap(Staleness.init(rawValue:)) else { return nil }
      self = .staleScreen(message: message, why: why)
    default: return nil
    }
  }

  private static func value(of reasons: [String: String]) -> Value {
    let entries = reasons.sorted { $0.key < $1.key }
      .map { DictionaryEntry(key: .string($0.key), value: .string($0.value)) }
    return .dictionary(key: .string, value: .string, entries)
  }

  private static func reasons(in error: DBusError) -> [String: String]? {
    error.extra.first?.vardict?.compactMapValues(\.string)
  }
}

extension Refusal {
  /// The error as clients receive it.
  package var dbusError: DBusError {
    switch self {
    case .denied(let reason): ContractError.denied(message: reason).dbusError
    case .invalidPayload(let reasons): ContractError.invalidPayload(reasons).dbusError
    case .invalidInput(let reasons): ContractError.invalidInput(reasons).dbusError
    case .limitExceeded(let reason): .limitsExceeded(reason)
    case .notDismissable(let reason): ContractError.notDismissable(message: reason).dbusError
    case .unknownFlow(let name): ContractError.unknownFlow(named: name).dbusError
    }
  }
}

extension JSONConversionError {
  /// The error to answer a call with: `LimitsExceeded` for excessive nesting, `InvalidArgs` for everything else.
  public var dbusError: DBusError {
    switch self {
    case .tooDeep: .limitsExceeded(description)
    default: .invalidArgs(description)
    }
  }
}

extension ContractError {
  /// Returns the error for a flow name that does not exist.
  public static func unknownFlow(named name: String) -> ContractError {
    .unknownFlow(message: "there is no flow '\(name)' in this daemon's catalogue")
  }

  /// Returns the error for an input that the flow does not accept, with a reason for each invalid key.
  public static func invalidInput(_ reasons: [String: String]) -> ContractError {
    .invalidInput(message: "the flow does not accept this input: \(summary(reasons))", reasons: reasons)
  }

  /// Returns the error for a token that belongs to another flow or another input.
  public static func tokenInUse(_ token: String) -> ContractError {
    .tokenInUse(message: "the token '\(token)' was already used with another flow or another input")
  }

  /// Returns the error for a screen id that never existed in this tree.
  public static func unknownScreen(_ id: UInt64) -> ContractError {
    .unknownScreen(message: "this flow tree never had a screen \(id)")
  }

  /// Returns the error for a screen that existed but cannot be acted on now.
  public static func staleScreen(_ id: UInt64, why: Staleness) -> ContractError {
    let reason =
      switch why {
      case .covered: "is covered by another screen"
      case .gone: "is gone"
      case .elsewhere: "belongs to another coordinator"
      case .changed: "has changed in the meantime"
      }
    return .staleScreen(message: "screen \(id) \(reason)", why: why)
  }

  /// Returns the error for an event that the screen does not offer now or that no coordinator takes.
  public static func unknownEvent(_ unknown: UnknownEvent) -> ContractError { .unknownEvent(message: unknown.description) }

  /// Returns the error for a coordinator that failed while it handled the call.
  public static func flowFailed(_ failure: Failure) -> ContractError {
    .flowFailed(
      message: "\(failure.code): \(failure.message)", code: failure.code, isTechnical: failure.isTechnical)
  }

  /// Returns the error for a tree that is held. `reason` is the value of its `Held` property.
  public static func held(because reason: String) -> ContractError { .held(message: "the flow is held: \(reason)") }

  /// Returns the error for a payload that violates the screen's schema, with a reason for each invalid field.
  public static func invalidPayload(_ reasons: [String: String]) -> ContractError {
    .invalidPayload(message: "the payload is not valid: \(summary(reasons))", reasons: reasons)
  }

  private static func summary(_ reasons: [String: String]) -> String {
    reasons.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }
}
