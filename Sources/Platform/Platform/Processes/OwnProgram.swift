import Glibc

/// The file that this process runs, and the programs that are installed with it.
package enum OwnProgram {
  /// The directory of the file, without links and without a slash at the end; nil if it cannot be told, as without `/proc`.
  ///
  /// An upgrade that replaces the file of a running process does not change it.
  package static let directory: String? = {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, count < path.count else { return nil }
    let bytes = path[..<count].map(UInt8.init(bitPattern:))
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: bytes[..<$0], as: UTF8.self) }
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
