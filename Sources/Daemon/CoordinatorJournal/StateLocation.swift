import Platform

/// The default location of a daemon's state, shared by the daemon and the tools that inspect it.
public enum StateLocation {
  /// The default name of the directory below the directory for the state of all programs.
  public static let name = "coordinatord"

  /// Returns the path of the state directory, which need not exist yet.
  ///
  /// It is `$STATE_DIRECTORY`, which systemd sets for a unit with `StateDirectory=` (the first entry if there are several);
  /// else `$XDG_STATE_HOME/NAME`; else `~/.local/state/NAME`. Relative paths in these variables are ignored, as the XDG Base
  /// Directory Specification requires.
  ///
  /// - Parameters:
  ///   - name: the name of the directory below the directory for the state of all programs. A daemon with its own flows has a
  ///     different name.
  ///   - environment: the environment variables of the process.
  /// - Returns: an absolute path.
  public static func directory(
    name: String = name, environment: [String: String] = Environment.variables
  ) -> String {
    if let own = environment["STATE_DIRECTORY"]?.bytes.split(separator: ":").first.map(String.init), own.isAbsolutePath {
      return own
    }
    if let all = environment["XDG_STATE_HOME"], all.isAbsolutePath { return all.appendingName(name) }
    let home =
      environment["HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? Environment.homeDirectory
    return home.appendingName(".local/state/\(name)")
  }
}

extension String {
  fileprivate var isAbsolutePath: Bool { bytes.hasPrefix("/") }

  fileprivate func appendingName(_ name: String) -> String { bytes.hasSuffix("/") ? self + name : "\(self)/\(name)" }
}
