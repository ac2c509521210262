import ConfigurationFiles
import CoordinatorDaemon

/// What a daemon's configuration is made of, at start and again at every reload.
struct DaemonSource: Sendable {
  let program: String
  let isSystem: Bool
  let replaces: Bool
  let version: String
  let keys: [KeyEntry]
  let source: ConfigurationSource

  /// A configuration, and what it makes of the daemon; whether anything is wrong with it, its problems say.
  struct Reading: Sendable {
    var configuration: Configuration
    var daemon: DaemonConfiguration
  }

  /// Reads everything.
  func read() -> Reading {
    var configuration = Configuration(keys, from: source)
    var daemon = DaemonConfiguration(&configuration, of: program, isSystem: isSystem)
    daemon.replace = replaces
    daemon.version = version
    return Reading(configuration: configuration, daemon: daemon)
  }
}
