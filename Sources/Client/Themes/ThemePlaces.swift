import ConfigurationFiles
import Glibc

/// The locations of theme files.
public enum ThemePlaces {
  /// The name of theme files below the directories of configurations.
  public static let name = "coordinatord/theme.conf"

  /// Returns the paths where a theme file may be, in descending precedence: below `$XDG_CONFIG_HOME`, `$XDG_CONFIG_DIRS`,
  /// `/etc`, `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`.
  ///
  /// - Parameter environment: the environment variables of the process.
  /// - Returns: the paths.
  public static func files(environment: [String: String]) -> [String] {
    let directories = BaseDirectories(environment: environment)
    var known: Set<String> = []
    return (directories.configuration + ["/etc"] + directories.data).filter { known.insert($0).inserted }.map { "\($0)/\(name)" }
  }

  /// Reads the first theme file that exists. An empty one, like a link to `/dev/null`, hides those after it. Blocks.
  ///
  /// - Parameter environment: the environment variables of the process.
  /// - Returns: the theme; ``Theme/standard`` if there is no file.
  public static func read(environment: [String: String]) -> Theme.Reading {
    guard let path = files(environment: environment).first(where: { access($0, F_OK) == 0 }) else {
      return Theme.Reading(theme: .standard, problems: [])
    }
    return Theme.read(path)
  }
}
