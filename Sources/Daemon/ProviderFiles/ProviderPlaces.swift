import ConfigurationFiles
import Platform
public import CoordinatorBus

/// The directories with provider files.
public struct ProviderPlaces: Sendable, Hashable {
  /// The paths of the directories, in descending precedence.
  public var directories: [String]

  /// Creates a list of directories, in descending precedence; none by default.
  public init(_ directories: [String] = []) {
    var known: Set<TextBytes> = []
    self.directories = directories.filter { known.insert($0.bytes).inserted }
  }

  /// Returns the directories of a user's daemon: `coordinatord/providers` in those of `$XDG_CONFIG_HOME`,
  /// `$XDG_CONFIG_DIRS`, `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, whatever the program's name: they are of those who offer
  /// flows to whoever owns coordinatord's name on the bus. A daemon with a name of its own there has directories of its own,
  /// because a provider serves flows to one daemon.
  ///
  /// Relative paths in these variables are ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Parameters:
  ///   - environment: the environment variables of the process.
  ///   - daemon: the daemon.
  /// - Returns: the directories.
  public static func user(environment: [String: String], of daemon: DaemonName = .standard) -> ProviderPlaces {
    let directories = BaseDirectories(environment: environment)
    return ProviderPlaces(below: directories.configuration + directories.data, of: daemon)
  }

  /// The directories of the system's daemon.
  public static let system = system(of: .standard)

  /// Returns the directories of a daemon on the system bus.
  public static func system(of daemon: DaemonName) -> ProviderPlaces {
    ProviderPlaces(below: ["/etc", "/run", "/usr/local/share", "/usr/share"], of: daemon)
  }

  private init(below directories: [String], of daemon: DaemonName) {
    self.init(directories.map { ($0.bytes.hasSuffix("/") ? $0 : $0 + "/") + "\(daemon)/providers" })
  }
}
