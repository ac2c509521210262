/// Work that was requested from a provider.
struct PerformedWork: Sendable, Hashable {
  let flow: String
  let id: String
  let argument: String
  let secrets: [String: String]

  /// Identifies work of the same kind: ids usually end in a number.
  var kind: String { "\(flow) \(id.filter { !$0.isNumber }) \(secrets.keys.sorted().joined(separator: " "))" }
}
