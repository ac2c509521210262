import ConfigurationFiles

/// The directories with provider files.
public struct ProviderPlaces: Sendable, Hashable {
  /// The paths of the directories, in descending precedence.
  public var directories: [String]

  /// Creates a list of directories, in descending precedence; none by default.
  public init(_ directories: [String] = []) {
    var known: Set<String> = []
    self.directories = directories.filter { known.insert($0).inserted }
  }

  /// Returns the directories of a user's daemon: `coordinatord/providers` in those of `$XDG_CONFIG_HOME`,
  /// `$XDG_CONFIG_DIRS`, `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`, whatever the daemon's name: they are of those who offer
  /// flows.
  ///
  /// Relative paths in these variables are ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Parameter environment: the environment variables of the process.
  /// - Returns: the directories.
  public static func user(environment: [String: String]) -> ProviderPlaces {
    let directories = BaseDirectories(environment: environment)
    return ProviderPlaces(below: directories.configuration + directories.data)
  }

  /// The directories of the system's daemon.
  public static let system = ProviderPlaces(below: ["/etc", "/run", "/usr/local/share", "/usr/share"])

  private init(below directories: [String]) {
    self.init(directories.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "coordinatord/providers" })
  }
}
