import Glibc
import Platform

/// The locations of keepers' control sockets.
package struct KeeperPlaces: Sendable, Hashable {
  /// The directories of programs, in descending precedence.
  private let directories: [String]

  /// Creates places.
  ///
  /// - Parameter directories: the directories that have a directory for each program.
  package init(_ directories: [String]) { self.directories = directories }

  /// The locations for this process: its own programs, and those of root.
  package static var own: KeeperPlaces {
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? (geteuid() == 0 ? "/run" : "/run/user/\(geteuid())")
    return KeeperPlaces(["\(base)/coordinatord/programs", shared])
  }

  /// The directory of programs that run as root and that daemons of other users show.
  package static let shared = "/run/coordinator-programs"

  /// Returns the path of the control socket of a program; nil if there is none, or the name of the program is invalid.
  package func socket(of program: String) -> String? {
    guard ProgramName.isValid(program) else { return nil }
    return directories.map { "\($0)/\(program)/control" }.first { access($0, F_OK) == 0 }
  }
}
