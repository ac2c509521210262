#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the files of a configuration are.
///
/// All main files are read, one over the other, and then all drop-ins, sorted by their names wherever they are. A drop-in hides those of
/// the same name in the directories before its own.
public struct ConfigurationPlaces: Sendable, Hashable {
  /// The main files; what later ones say goes before.
  public var files: [String]
  /// The directories of drop-ins, in that order, too.
  public var dropIns: [String]
  /// Whether it is wrong if there are no main files.
  public var mustExist = false

  /// The places of a daemon that a user has for itself: `NAME/NAME.conf`, with drop-ins in `NAME/NAME.conf.d`, below each directory of
  /// `$XDG_CONFIG_DIRS` (`/etc/xdg`), least important first, and below `$XDG_CONFIG_HOME` (`~/.config`).
  ///
  /// Relative paths count as none, as the XDG base directory specification demands.
  ///
  /// - Parameters:
  ///   - name: the name of the daemon.
  ///   - environment: the variables of the process.
  /// - Returns: the places.
  public static func user(_ name: String, environment: [String: String]) -> ConfigurationPlaces {
    let shared = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":").map(String.init).filter(\.isAbsolutePath)
    let home =
      environment["HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? FileManager.default.homeDirectoryForCurrentUser.path
    let own = environment["XDG_CONFIG_HOME"].flatMap { $0.isAbsolutePath ? $0 : nil } ?? "\(home)/.config"
    return ConfigurationPlaces(name, below: (shared.isEmpty ? ["/etc/xdg"] : shared).reversed() + [own])
  }

  /// The places of a daemon that belongs to the machine: `/etc/NAME/NAME.conf`, with drop-ins in `/etc/NAME/NAME.conf.d`.
  public static func system(_ name: String) -> ConfigurationPlaces { ConfigurationPlaces(name, below: ["/etc"]) }

  /// One file that has to be there, with drop-ins in the directory of its name and `.d`.
  public static func only(_ file: String) -> ConfigurationPlaces {
    ConfigurationPlaces(files: [file], dropIns: ["\(file).d"], mustExist: true)
  }

  private init(files: [String], dropIns: [String], mustExist: Bool = false) {
    self.files = files
    self.dropIns = dropIns
    self.mustExist = mustExist
  }

  private init(_ name: String, below directories: [String]) {
    let all = directories.map { directory in
      (directory.hasSuffix("/") ? directory : directory + "/") + "\(name)/\(name).conf"
    }
    // A directory that is named twice is read where it matters most.
    let files = all.enumerated().filter { index, file in !all.dropFirst(index + 1).contains(file) }.map(\.element)
    self.init(files: files, dropIns: files.map { "\($0).d" })
  }
}

extension String {
  fileprivate var isAbsolutePath: Bool { hasPrefix("/") }
}
