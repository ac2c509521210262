#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a daemon keeps its state if nobody says where: one rule for the daemon and for the tools that look into it.
public enum StateLocation {
  /// The directory's name below the one for the state of all programs.
  public static let name = "coordinatord"

  /// The state directory, which need not exist yet.
  ///
  /// It is the first of `$STATE_DIRECTORY`, which systemd sets for a unit with `StateDirectory=`; else `$XDG_STATE_HOME/coordinatord`;
  /// else `~/.local/state/coordinatord`. A relative path counts as none, as the XDG base directory specification demands.
  ///
  /// - Parameters:
  ///   - name: the directory's name below the one for the state of all programs: a daemon with flows of its own has one of its own.
  ///   - environment: the variables of the process.
  /// - Returns: an absolute path.
  public static func directory(
    name: String = name, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    if let own = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init), own.isAbsolutePath { return own }
    if let all = environment["XDG_STATE_HOME"], all.isAbsolutePath { return all.appendingName(name) }
    let home =
      environment["HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? FileManager.default.homeDirectoryForCurrentUser.path
    return home.appendingName(".local/state/\(name)")
  }
}

extension String {
  fileprivate var isAbsolutePath: Bool { hasPrefix("/") }

  fileprivate func appendingName(_ name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }
}
