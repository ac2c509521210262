import Glibc

/// The executable of this process, and the programs that are installed with it.
package enum OwnProgram {
  /// The directory of the executable, without symbolic links and without a slash at the end; nil if it cannot be determined,
  /// for example without `/proc`.
  ///
  /// An upgrade that replaces the executable of a running process does not change it.
  package static let directory: String? = {
    guard let bytes = file else { return nil }
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }()

  /// Whether another program has replaced the executable since this process was started, as an upgrade or a downgrade does. An
  /// executable that was only removed does not count as replaced, because there is no successor.
  package static var isReplaced: Bool { file.map(isReplaced(_:)) ?? false }

  /// Returns whether a path, as the kernel reports it, is that of a removed file whose place another program has taken.
  ///
  /// Source: proc(5), `/proc/pid/exe`.
  static func isReplaced(_ file: [UInt8]) -> Bool {
    let mark = Array(" (deleted)".utf8)
    guard file.count > mark.count, Array(file.suffix(mark.count)) == mark else { return false }
    return access(String(decoding: file.dropLast(mark.count), as: UTF8.self), X_OK) == 0
  }

  /// The path of the executable, as the kernel reports it.
  private static var file: [UInt8]? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, count < path.count else { return nil }
    return path[..<count].map(UInt8.init(bitPattern:))
  }

  /// The directories of helper programs, which users do not start: this program's directory, as after a build, and those of an
  /// installation.
  private static var helperDirectories: [String] {
    guard let directory else { return [] }
    return [directory, "\(directory)/../libexec/coordinatord", "\(directory)/../lib/coordinatord"]
  }

  /// Returns the path of a helper program.
  ///
  /// - Parameter name: the program's name, which may be preceded by a directory.
  /// - Returns: the path; nil if no directory contains the program.
  package static func helper(_ name: String) -> String? {
    helperDirectories.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
