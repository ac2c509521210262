import CoordinatorKit

/// What came of a step.
enum StepResult: Codable, Hashable, Sendable {
  case applied
  /// The machine was so before.
  case wasSo
  case failed(Text)
  /// The secret was lost, and the machine is not yet as it should be.
  case needsSecret

  var isApplied: Bool { self == .applied || self == .wasSo }
}
