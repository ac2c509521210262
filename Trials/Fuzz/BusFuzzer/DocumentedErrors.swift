import CoordinatorBus
import DBus

/// Which errors the contract lets a method be answered with. Any other name is a finding.
enum DocumentedErrors {
  /// What any call may be answered with: nobody is there, or the arguments are wrong or too large.
  private static let always: Set = ["UnknownObject", "UnknownInterface", "UnknownMethod", "InvalidArgs", "LimitsExceeded"]

  /// What each method may be answered with besides, by its last name. No two interfaces have a method of the same name.
  private static let own: [String: Set<String>] = [
    "StartFlow": starting.union(["TokenInUse", "Held"]),
    "RunFlow": starting.union(["TokenInUse", "Held"]),
    "StartChild": starting.union(["Held"]),
    "GetOutcome": ["Held"],
    "Delegate": ["UnknownScreen", "StaleScreen", "UnknownEvent", "InvalidPayload", "Denied", "FlowFailed", "NotStored", "Held"],
    "Dismiss": ["NotDismissable", "Denied", "FlowFailed", "NotStored", "Held"],
    "SaveDraft": ["UnknownScreen", "StaleScreen", "InvalidPayload", "NotStored", "Held"],
    "Back": ["UnknownScreen", "StaleScreen", "NotDismissable", "Denied", "FlowFailed", "NotStored", "Held"],
  ]
  private static let starting: Set = ["UnknownFlow", "InvalidInput", "Denied", "FlowFailed", "NotStored"]
  /// Of the standard interfaces.
  private static let standard: [String: Set<String>] = [
    "Get": ["UnknownProperty"], "Set": ["UnknownProperty", "PropertyReadOnly"],
  ]

  /// Whether an error may be the answer to a method.
  static func contain(_ error: DBusError, of member: String) -> Bool {
    if error.name.hasPrefix(Contract.errorPrefix) {
      let name = String(error.name.dropFirst(Contract.errorPrefix.count))
      // Its body has to be what the contract says, too.
      return own[member]?.contains(name) == true && ContractError(error) != nil
    }
    guard error.name.hasPrefix(DBusError.standardPrefix), !error.message.isEmpty else { return false }
    let name = String(error.name.dropFirst(DBusError.standardPrefix.count))
    return always.contains(name) || standard[member]?.contains(name) == true
  }
}
