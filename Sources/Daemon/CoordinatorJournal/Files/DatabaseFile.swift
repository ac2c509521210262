import Glibc

/// The file of a database, before SQLite sees it.
enum DatabaseFile {
  /// Why a file is not gone on with.
  struct Unusable: Error { let reason: String }

  /// Makes an empty file, which nobody else may read (0600). What SQLite puts beside it gets the same rights.
  static func create(_ path: String) throws(SystemError) {
    let new = try SystemError.check(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    defer { close(new) }
    // The umask may have taken even the owner's rights away.
    try SystemError.check(fchmod(new, 0o600))
  }

  /// Looks whether a file may be a database, and takes it from others who could read it.
  ///
  /// - Throws: ``Unusable``, `SystemError`.
  static func prepare(_ path: String) throws {
    var info = stat()
    try SystemError.check(stat(path, &info))
    guard info.st_mode & S_IFMT == S_IFREG else { throw Unusable(reason: "it is no file") }
    // Ours never is, and SQLite would throw away the log that belongs to it.
    guard info.st_size > 0 else { throw Unusable(reason: "it is empty") }
    try makePrivate(path)
    for companion in companions { try makePrivate(path + companion) }
  }

  /// What SQLite adds to a database's name for the files that belong to it.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Removes a file that nobody needs, with those that belong to it; one that is not there is no error.
  static func remove(_ path: String) throws(SystemError) {
    for name in [path] + companions.map({ path + $0 }) where unlink(name) != 0 && errno != ENOENT { throw SystemError() }
  }

  /// Has a file be read from the disk the next time, and not from the system's memory of it. For one that nobody has open here: closing it
  /// lets go of SQLite's locks.
  static func forgetRead(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    posix_fadvise(file, 0, 0, Int32(POSIX_FADV_DONTNEED))
    close(file)
  }

  /// Whether anything has that path.
  static func exists(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 || errno != ENOENT
  }

  /// Whether there is a file that is not empty.
  static func hasContents(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_size > 0
  }

  /// Takes a file from others who could read it, if it is there.
  private static func makePrivate(_ path: String) throws(SystemError) {
    var info = stat()
    guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o777 != 0o600 else { return }
    try SystemError.check(chmod(path, 0o600))
  }
}
