import Glibc

/// The file that this process runs, and the programs that are installed with it.
package enum OwnProgram {
  /// The directory of the file, without links and without a slash at the end; nil if it cannot be told, as without `/proc`.
  package static let directory: String? = {
    guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }()

  /// The directories of what only programs start: that of this one, as after a build, and those of an installation.
  private static var helperDirectories: [String] {
    guard let directory else { return [] }
    return [directory, "\(directory)/../libexec/coordinatord", "\(directory)/../lib/coordinatord"]
  }

  /// Returns the path of a program that only programs start.
  ///
  /// - Parameter name: its name, which may have a directory in front.
  /// - Returns: the path; nil if no directory has such a program.
  package static func helper(_ name: String) -> String? {
    helperDirectories.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
