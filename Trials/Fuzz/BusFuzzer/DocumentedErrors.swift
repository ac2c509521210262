import CoordinatorBus
import DBus

/// The errors that the contract documents for each method. Any other error is a finding.
enum DocumentedErrors {
  /// The errors that any call may get: the object does not exist, or the arguments are wrong or too large.
  private static let always: Set = ["UnknownObject", "UnknownInterface", "UnknownMethod", "InvalidArgs", "LimitsExceeded"]

  /// The additional errors of each method, by member name. No two interfaces have a method of the same name.
  private static let own: [String: Set<String>] = [
    "StartFlow": starting.union(["TokenInUse", "Held"]),
    "RunFlow": starting.union(["TokenInUse", "Held"]),
    "StartChild": starting.union(["Held"]),
    "GetOutcome": ["Held"],
    "Delegate": ["UnknownScreen", "StaleScreen", "UnknownEvent", "InvalidPayload", "Denied", "FlowFailed", "NotStored", "Held"],
    "Dismiss": ["NotDismissable", "Denied", "FlowFailed", "NotStored", "Held"],
    "SaveDraft": ["UnknownScreen", "StaleScreen", "InvalidPayload", "NotStored", "Held"],
    "ProposeLanguage": ["NotStored", "Held"],
    "Back": ["UnknownScreen", "StaleScreen", "NotDismissable", "Denied", "FlowFailed", "NotStored", "Held"],
  ]
  private static let starting: Set = ["UnknownFlow", "InvalidInput", "Denied", "FlowFailed", "NotStored"]
  /// The additional errors of the standard interfaces' methods.
  private static let standard: [String: Set<String>] = [
    "Get": ["UnknownProperty"], "Set": ["UnknownProperty", "PropertyReadOnly"],
  ]

  /// Returns whether an error is a documented answer to a method.
  static func contain(_ error: DBusError, of member: String) -> Bool {
    if error.name.hasPrefix(Contract.errorPrefix) {
      let name = String(error.name.dropFirst(Contract.errorPrefix.count))
      // The body of the error must match the contract, too.
      return own[member]?.contains(name) == true && ContractError(error) != nil
    }
    guard error.name.hasPrefix(DBusError.standardPrefix), !error.message.isEmpty else { return false }
    let name = String(error.name.dropFirst(DBusError.standardPrefix.count))
    return always.contains(name) || standard[member]?.contains(name) == true
  }
}
