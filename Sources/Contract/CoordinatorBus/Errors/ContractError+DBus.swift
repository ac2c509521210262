import CoordinatorKit
import DBus
import Platform

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
