import ConfigurationFiles

/// The result of reading a configuration again.
public enum Reload: Sendable, Hashable {
  /// The configuration was applied as far as possible: the names of the keys whose values changed, and of those whose
  /// values change only after a restart.
  case done(changed: [String], needRestart: [String])
  /// The configuration has problems; the previous settings still apply.
  case refused([ConfigurationProblem])
}
