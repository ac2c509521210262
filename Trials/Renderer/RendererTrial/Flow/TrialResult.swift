/// What the flow has found out about a renderer by what its user could do.
public struct TrialResult: Codable, Sendable, Hashable {
  /// Something that did not go as it had to.
  public struct Fault: Codable, Sendable, Hashable {
    /// Where.
    public var step: TrialStep
    /// What.
    public var text: String

    /// Puts a fault together.
    public init(_ step: TrialStep, _ text: String) {
      self.step = step
      self.text = text
    }
  }

  /// The steps that were taken.
  public var steps: [TrialStep] = []
  /// What was wrong.
  public var faults: [Fault] = []

  /// Nothing was tried yet.
  public init() {}
}
