import Platform

/// The directories of the XDG Base Directory Specification, in descending precedence, without a slash at their ends.
///
/// Relative paths in the variables are ignored, as the specification requires.
public struct BaseDirectories: Sendable, Hashable {
  /// `$XDG_CONFIG_HOME` (`~/.config`) and those of `$XDG_CONFIG_DIRS` (`/etc/xdg`).
  public let configuration: [String]
  /// `$XDG_DATA_HOME` (`~/.local/share`) and those of `$XDG_DATA_DIRS` (`/usr/local/share`, `/usr/share`).
  public let data: [String]

  /// Determines the directories.
  ///
  /// - Parameter environment: the environment variables of the process.
  public init(environment: [String: String]) {
    func all(_ variable: String, _ usual: [String]) -> [String] {
      let given = (environment[variable] ?? "").bytes.split(separator: ":").filter { $0.bytes.hasPrefix("/") }
      return given.isEmpty ? usual : given.map { String($0 == "/" ? $0 : $0.bytes.dropping(suffix: "/") ?? $0) }
    }
    let home =
      environment["HOME"].flatMap { $0.bytes.hasPrefix("/") ? $0 : nil } ?? Environment.homeDirectory
    configuration = all("XDG_CONFIG_HOME", ["\(home)/.config"]) + all("XDG_CONFIG_DIRS", ["/etc/xdg"])
    data = all("XDG_DATA_HOME", ["\(home)/.local/share"]) + all("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
  }
}
