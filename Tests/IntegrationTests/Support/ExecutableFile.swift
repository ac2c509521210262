import Glibc
import Platform

/// Files that are executed.
enum ExecutableFile {
  /// Writes a file, and puts it in its place once it is complete: a half-written script must not be executed.
  ///
  /// Foundation is not used, because it lets a program that another test starts at this moment inherit the open file. The system
  /// executes no file that a process may still write (`ETXTBSY`), for as long as that program runs.
  static func write(_ text: String, to path: String, mode: mode_t = 0o755) throws {
    let parts = path.bytes.cutLast(at: "/")
    // Not the name of a flow.
    let new = "\(parts?.before ?? ".")/.\(parts?.after ?? path[...]).new"
    try FileContent.write(Array(text.utf8), to: new, mode: mode)
    guard rename(new, path) == 0 else { throw SystemCallError(errno) }
  }
}
