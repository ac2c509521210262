/// An ``Outcome`` without its details. The raw values are the words of the D-Bus contract.
public enum OutcomeWord: String, Sendable, Hashable, Codable, CaseIterable {
  case finished, cancelled, failed
}
