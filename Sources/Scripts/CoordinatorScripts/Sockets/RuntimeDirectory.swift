import Glibc

/// The directory of this program's sockets, which only its user can enter.
package enum RuntimeDirectory {
  /// Why there is none.
  package struct Failed: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Returns the path of the directory, which is created if need be.
  ///
  /// - Throws: ``Failed``, also if others could have put something there.
  package static func path() throws(Failed) -> String {
    let base = getenv("RUNTIME_DIRECTORY") ?? getenv("XDG_RUNTIME_DIR")
    let path = base.map { "\(String(cString: $0))/coordinatord" } ?? "/tmp/coordinatord-\(geteuid())"
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Failed(description: "\(path) cannot be created: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else { throw Failed(description: "\(path) does not belong to this user alone; set XDG_RUNTIME_DIR to a directory that does") }
    return path
  }
}
