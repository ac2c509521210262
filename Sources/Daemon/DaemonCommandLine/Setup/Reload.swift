import ConfigurationFiles

/// What came of reading a configuration again.
public enum Reload: Sendable, Hashable {
  /// It holds, as far as it can: the names of the keys that have other values now, and of those that will have after a restart.
  case done(changed: [String], needRestart: [String])
  /// Something is wrong with it, and what held before still holds.
  case refused([ConfigurationProblem])
}
