import CoordinatorKit

/// The result of a step.
enum StepResult: Codable, Hashable, Sendable {
  case applied
  /// The machine already had this setting.
  case wasSo
  case failed(Text)
  /// The secret was lost, and the machine does not have the setting yet.
  case needsSecret

  var isApplied: Bool { self == .applied || self == .wasSo }
}
