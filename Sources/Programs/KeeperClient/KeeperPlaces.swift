import Glibc

/// Where the control sockets of keepers are.
package struct KeeperPlaces: Sendable, Hashable {
  /// The directories of programs, the first of which wins.
  private let directories: [String]

  /// Creates places.
  ///
  /// - Parameter directories: the directories that have a directory for each program.
  package init(_ directories: [String]) { self.directories = directories }

  /// The places of this process: its own programs, and those of root.
  package static var own: KeeperPlaces {
    let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? (geteuid() == 0 ? "/run" : "/run/user/\(geteuid())")
    return KeeperPlaces(["\(base)/coordinatord/programs", shared])
  }

  /// The directory of programs that run as root and are shown by other users' daemons.
  package static let shared = "/run/coordinator-programs"

  /// Returns the path of the control socket of a program; nil if there is none, or it has no name.
  package func socket(of program: String) -> String? {
    guard Self.isName(program) else { return nil }
    return directories.map { "\($0)/\(program)/control" }.first { access($0, F_OK) == 0 }
  }

  /// Whether a text can be the name of a program: it is part of a path.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}
