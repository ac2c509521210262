import Glibc

/// The file that this process runs, and the programs that are installed with it.
package enum OwnProgram {
  /// The directory of the file, without links and without a slash at the end; nil if it cannot be told, as without `/proc`.
  ///
  /// An upgrade that replaces the file of a running process does not change it.
  package static let directory: String? = {
    guard let bytes = file else { return nil }
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }()

  /// Whether another program has taken the place of the file since this process was started, as an upgrade or a downgrade
  /// does it. A program that was only removed is not replaced: there is nothing to go on with.
  package static var isReplaced: Bool { file.map(isReplaced(_:)) ?? false }

  /// Returns whether a path, as the kernel tells it, is that of a removed file in whose place there is another program.
  ///
  /// Source: proc(5), `/proc/pid/exe`.
  static func isReplaced(_ file: [UInt8]) -> Bool {
    let mark = Array(" (deleted)".utf8)
    guard file.count > mark.count, Array(file.suffix(mark.count)) == mark else { return false }
    return access(String(decoding: file.dropLast(mark.count), as: UTF8.self), X_OK) == 0
  }

  /// The path of the file as the kernel tells it.
  private static var file: [UInt8]? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, count < path.count else { return nil }
    return path[..<count].map(UInt8.init(bitPattern:))
  }

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
