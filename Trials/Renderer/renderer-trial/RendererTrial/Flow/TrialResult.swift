/// The findings of the flow about a renderer.
public struct TrialResult: Codable, Sendable, Hashable {
  /// A fault.
  public struct Fault: Codable, Sendable, Hashable {
    /// The step in which it happened.
    public var step: TrialStep
    /// A description of the fault.
    public var text: String

    /// Creates a fault.
    public init(_ step: TrialStep, _ text: String) {
      self.step = step
      self.text = text
    }
  }

  /// The completed steps.
  public var steps: [TrialStep] = []
  /// The faults.
  public var faults: [Fault] = []

  /// Creates a result without steps or faults.
  public init() {}
}
