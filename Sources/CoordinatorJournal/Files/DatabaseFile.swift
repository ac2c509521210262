import Glibc

/// The file of a database, before SQLite sees it.
enum DatabaseFile {
  /// Why a file is not gone on with.
  struct Unusable: Error { let reason: String }

  /// Makes sure that there is a file, which nobody else may read (0600). What SQLite puts beside it gets the same rights.
  ///
  /// - Returns: whether it is new.
  /// - Throws: ``Unusable``, `SystemError`.
  static func prepare(_ path: String) throws -> Bool {
    let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if new >= 0 {
      defer { close(new) }
      // The umask may have taken even the owner's rights away.
      try SystemError.check(fchmod(new, 0o600))
      return true
    }
    guard errno == EEXIST else { throw SystemError() }
    var info = stat()
    try SystemError.check(stat(path, &info))
    guard info.st_mode & S_IFMT == S_IFREG else { throw Unusable(reason: "it is no file") }
    // Ours never is, and SQLite would throw away the log that belongs to it.
    guard info.st_size > 0 else { throw Unusable(reason: "it is empty") }
    try makePrivate(path)
    for companion in companions { try makePrivate(path + companion) }
    return false
  }

  /// What SQLite adds to a database's name for the files that belong to it.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Takes a file from others who could read it, if it is there.
  private static func makePrivate(_ path: String) throws(SystemError) {
    var info = stat()
    guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o777 != 0o600 else { return }
    try SystemError.check(chmod(path, 0o600))
  }
}
