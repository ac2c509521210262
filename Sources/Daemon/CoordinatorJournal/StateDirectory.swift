import Glibc
import Platform

/// The directory that contains a journal's files: private (0700), and locked for one daemon at a time.
///
/// The lock is held until ``release()`` is called or the process ends.
final class StateDirectory: Sendable {
  let path: String
  private let lock = Lock<Int32?>(nil)

  /// Creates the directory if it does not exist, and locks it.
  ///
  /// - Parameters:
  ///   - path: the path of the directory.
  ///   - holder: a description of the process, for other processes to read; "" for none.
  /// - Throws: `JournalError.directory`, `JournalError.inUse`.
  init(_ path: String, holder: String = "") throws(JournalError) {
    let path = Self.absolute(path)
    self.path = path
    do {
      try Self.make(path)
      try Self.makePrivate(path)
      let file = try SystemError.check(open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
      lock.withLock { $0 = file }
      try SystemError.check(fchmod(file, 0o600))
      try SystemError.check(flock(file, LOCK_EX | LOCK_NB))
      Self.note(holder, in: file)
    } catch {
      release()
      throw error.code == EWOULDBLOCK ? .inUse(directory: path) : .directory(path, reason: error.description)
    }
  }

  deinit { release() }

  /// Releases the directory for another daemon.
  func release() {
    lock.withLock { file in
      guard let descriptor = file else { return }
      // Closing alone is not enough: a child process that is being started may briefly have a copy of the descriptor.
      flock(descriptor, LOCK_UN)
      close(descriptor)
      file = nil
    }
  }

  /// Returns the description that the process using a directory has given; nil if there is none.
  static func holder(of path: String) -> String? {
    let file = open("\(absolute(path))/lock", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Records the holder. A failure, for lack of room, does not prevent the use of the directory.
  private static func note(_ holder: String, in file: Int32) {
    guard ftruncate(file, 0) == 0 else { return }
    let bytes = Array(holder.utf8)
    _ = pwrite(file, bytes, bytes.count, 0)
  }

  /// Creates a directory and its parents, and flushes them to the disk: if a directory is lost, so are its contents.
  private static func make(_ path: String) throws(SystemError) {
    let parent = Self.parent(of: path)
    if mkdir(path, 0o700) != 0 {
      switch errno {
      case EEXIST: return
      case ENOENT where !parent.isEmpty && parent != path: try make(parent)
      default: throw SystemError()
      }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError() }
    }
    // The umask may have removed even the owner's permissions.
    try SystemError.check(chmod(path, 0o700))
    sync(parent.isEmpty ? "." : parent)
  }

  /// Returns the path of the parent directory; "" for none.
  private static func parent(of path: String) -> String {
    let parts = path.bytes.split(separator: "/").dropLast()
    return (path.bytes.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  private static func makePrivate(_ path: String) throws(SystemError) {
    var info = stat()
    try SystemError.check(stat(path, &info))
    guard info.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR) }
    guard info.st_uid == geteuid() else { throw SystemError("it belongs to user \(info.st_uid)") }
    if info.st_mode & 0o077 != 0 { try SystemError.check(chmod(path, 0o700)) }
  }

  /// Flushes the names in a directory to the disk, as far as the file system allows.
  private static func sync(_ path: String) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// Returns the absolute path, which stays valid if the working directory changes, and which SQLite never mistakes for
  /// a URI.
  static func absolute(_ path: String) -> String {
    path.isEmpty || path.bytes.hasPrefix("/") ? path : "\(Environment.workingDirectory)/\(path)"
  }

  /// Returns the path of a file in the directory.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Flushes the names of the files to the disk, as far as the file system allows.
  func sync() { Self.sync(path) }

  /// Renames a database file and its companions: `journal.sqlite.damaged-20261121T101500Z`.
  ///
  /// - Returns: the new path.
  /// - Throws: `JournalError.cannotOpen` if the file cannot be renamed.
  func moveAside(_ file: String) throws(JournalError) -> String {
    let base = "\(file).damaged-\(Self.timestamp())"
    var aside = base
    var count = 1
    while DatabaseFile.exists(aside) {
      count += 1
      aside = "\(base)-\(count)"
    }
    guard rename(file, aside) == 0 || errno == ENOENT else {
      throw .cannotOpen(file: file, reason: SystemError().description)
    }
    for suffix in DatabaseFile.companions {
      // A shared-memory index and an empty log contain no data worth keeping.
      let isWorthKeeping = suffix != "-shm" && DatabaseFile.hasContents(file + suffix)
      _ = isWorthKeeping ? rename(file + suffix, aside + suffix) : unlink(file + suffix)
    }
    sync()
    return aside
  }

  private static func timestamp() -> String {
    CalendarTime(microseconds: UInt64(max(0, time(nil))) * 1_000_000, secondsFromGMT: 0).compactText
  }
}

/// Reserved disk space, which allows flows to be ended when the disk is full.
struct SpaceReserve {
  /// The size of the reserve, in bytes: enough log for the ends of flows until they are checkpointed into the database,
  /// which frees room there.
  static let size = 1 << 20

  private let path: String
  private var isFilled = false
  private var nextFill: ContinuousClock.Instant?

  /// Creates the reserve of a directory. It is kept in the file `reserve`.
  init(in directory: StateDirectory) { path = directory.file("reserve") }

  /// Allocates the reserve unless it is already allocated. On a full disk, does not try again for ten seconds.
  mutating func fill(at now: @autoclosure () -> ContinuousClock.Instant = .now) {
    guard !isFilled else { return }
    let now = now()
    if let nextFill, now < nextFill { return }
    isFilled = allocate()
    nextFill = isFilled ? nil : now + .seconds(10)
  }

  /// Gives the reserved space back to the disk, even if a previous daemon reserved it.
  ///
  /// - Returns: whether there was any.
  mutating func release() -> Bool {
    guard DatabaseFile.hasContents(path), truncate(path, 0) == 0 else { return false }
    isFilled = false
    // An immediate refill would take the room away from the ends of flows.
    nextFill = .now + .seconds(10)
    return true
  }

  private func allocate() -> Bool {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The umask may have removed even the owner's permissions.
    guard fchmod(file, 0o600) == 0 else { return false }
    if posix_fallocate(file, 0, off_t(Self.size)) == 0 { return true }
    // Other programs can make better use of a partial reserve.
    _ = ftruncate(file, 0)
    return false
  }
}

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

  /// Returns whether a file or directory exists at a path. Also returns true if that cannot be determined.
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

/// A failed system call, or a system condition that this program does not accept.
struct SystemError: Error, CustomStringConvertible {
  /// The error number (`errno`); 0 if no system call failed.
  let code: Int32
  let description: String

  /// Creates an error from the calling thread's `errno`, or from another error number.
  init(_ code: Int32 = errno) {
    self.code = code
    description = String(cString: strerror(code))
  }

  /// Creates an error with a message of this program.
  init(_ description: String) {
    code = 0
    self.description = description
  }

  /// Returns the result of a call, or throws the calling thread's `errno` if it is negative.
  @discardableResult
  static func check(_ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError() }
    return result
  }
}
