import Glibc

/// Operations on a database file that happen before SQLite opens it.
enum DatabaseFile {
  /// The reason why a file must be replaced.
  struct Unusable: Error { let reason: String }

  /// Creates an empty file with the mode 0600. SQLite gives the files beside it the same mode.
  static func create(_ path: String) throws(SystemError) {
    let new = try SystemError.check(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
    defer { close(new) }
    // The umask may have removed even the owner's permissions.
    try SystemError.check(fchmod(new, 0o600))
  }

  /// Checks whether a file can be a database, and makes it and its companions private (0600).
  ///
  /// - Throws: ``Unusable``, `SystemError`.
  static func prepare(_ path: String) throws {
    var info = stat()
    try SystemError.check(stat(path, &info))
    guard info.st_mode & S_IFMT == S_IFREG else { throw Unusable(reason: "it is not a regular file") }
    // A journal is never empty, and SQLite would discard the log that belongs to it.
    guard info.st_size > 0 else { throw Unusable(reason: "it is empty") }
    try makePrivate(path)
    for companion in companions { try makePrivate(path + companion) }
  }

  /// The suffixes that SQLite appends to a database's name for its companion files.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Removes a database file and its companions. Missing files are not an error.
  static func remove(_ path: String) throws(SystemError) {
    for name in [path] + companions.map({ path + $0 }) where unlink(name) != 0 && errno != ENOENT { throw SystemError() }
  }

  /// Drops a file from the system's page cache, so that the next read comes from the disk (`POSIX_FADV_DONTNEED`).
  ///
  /// The file must not be open in this process: closing a descriptor of it would release SQLite's locks.
  static func forgetRead(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    posix_fadvise(file, 0, 0, Int32(POSIX_FADV_DONTNEED))
    close(file)
  }

  /// Returns whether something exists at a path. Returns true also if that cannot be determined.
  static func exists(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 || errno != ENOENT
  }

  /// Returns whether a file exists and is not empty.
  static func hasContents(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_size > 0
  }

  /// Sets the mode of a file to 0600, if it exists.
  private static func makePrivate(_ path: String) throws(SystemError) {
    var info = stat()
    guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o777 != 0o600 else { return }
    try SystemError.check(chmod(path, 0o600))
  }
}
