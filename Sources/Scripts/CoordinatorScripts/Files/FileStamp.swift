import Glibc

/// What changes whenever a file does, as far as can be seen without reading it.
package struct FileStamp: Sendable, Hashable {
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var seconds = 0
  private var nanoseconds = 0

  /// Creates the stamp of a file that does not exist.
  package init() {}

  /// Creates the stamp of a file.
  ///
  /// - Parameter path: the path of the file.
  package init(of path: String) {
    var status = stat()
    self.init(stat(path, &status) == 0 ? status : stat())
  }

  /// Returns whether a path leads to a file that can be executed.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: whether it does.
  package static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  init(_ status: stat) {
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
