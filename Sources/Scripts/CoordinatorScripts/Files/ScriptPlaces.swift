import Glibc
import Platform

/// The directories with scripts.
package struct ScriptPlaces: Sendable, Hashable {
  /// The paths of the directories, in descending precedence.
  package var directories: [String]
  /// Whether only root may own scripts.
  package var isOfSystem: Bool

  /// Creates a list of directories, in descending precedence.
  package init(_ directories: [String], isOfSystem: Bool = false) {
    (self.directories, self.isOfSystem) = (directories, isOfSystem)
  }

  /// Those of the system's daemon.
  package static let system = ScriptPlaces(
    ["/etc/coordinatord/flows", "/usr/share/coordinatord/flows"], isOfSystem: true)

  /// Those of a user's daemon: `coordinatord/flows` in the directories of `$XDG_CONFIG_HOME`, `$XDG_CONFIG_DIRS`,
  /// `$XDG_DATA_HOME` and `$XDG_DATA_DIRS`.
  package static func user(environment: [String: String]) -> ScriptPlaces {
    func all(_ variable: String, _ usual: [String]) -> [String] {
      let given = (environment[variable] ?? "").bytes.split(separator: ":").map(String.init).filter { $0.bytes.hasPrefix("/") }
      return given.isEmpty ? usual : given
    }
    let home = environment["HOME"].flatMap { $0.bytes.hasPrefix("/") ? $0 : nil } ?? "/"
    let all =
      all("XDG_CONFIG_HOME", ["\(home)/.config"]) + all("XDG_CONFIG_DIRS", ["/etc/xdg"])
      + all("XDG_DATA_HOME", ["\(home)/.local/share"]) + all("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
    var known: Set<String> = []
    return ScriptPlaces(
      all.map { ($0.bytes.hasSuffix("/") ? $0 : $0 + "/") + "coordinatord/flows" }.filter { known.insert($0).inserted })
  }
}
