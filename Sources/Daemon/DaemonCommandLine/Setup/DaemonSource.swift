import ConfigurationFiles
import CoordinatorBus
import CoordinatorDaemon
import ProviderFiles

/// The sources of a daemon's configuration, read at the start and at every reload.
struct DaemonSource: Sendable {
  let program: String
  let isSystem: Bool
  let replaces: Bool
  let version: String
  let keys: [KeyEntry]
  let source: ConfigurationSource

  /// A configuration and the daemon settings made from it. If ``configuration`` has problems, the settings must not be
  /// used.
  struct Reading: Sendable {
    var configuration: Configuration
    var daemon: DaemonConfiguration
  }

  /// Reads all sources.
  func read() -> Reading {
    var configuration = Configuration(keys, from: source)
    var daemon = DaemonConfiguration(&configuration, of: program, isSystem: isSystem)
    daemon.replace = replaces
    daemon.version = version
    daemon.providers = providerPlaces(configuration)
    return Reading(configuration: configuration, daemon: daemon)
  }

  /// Returns the directories with provider files: the configured one, then the usual ones.
  private func providerPlaces(_ configuration: Configuration) -> ProviderPlaces {
    let daemon = DaemonName.chosenUnlessStandard ?? .standard
    let usual = isSystem ? ProviderPlaces.system(of: daemon) : .user(environment: source.environment, of: daemon)
    return ProviderPlaces([configuration[DaemonKey.providers]].compactMap(\.self) + usual.directories)
  }
}
