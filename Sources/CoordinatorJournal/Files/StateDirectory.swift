import Foundation
import Glibc
import Locking

/// The directory that a journal's files are in: ours alone (0700), for one daemon at a time.
///
/// The lock is held until ``release()``, or until the process is gone.
final class StateDirectory: Sendable {
  let path: String
  private let lock = Lock<Int32?>(nil)

  /// Makes the directory if it is missing, and locks it.
  ///
  /// - Throws: `JournalError.directory`, `JournalError.inUse`.
  init(_ path: String) throws(JournalError) {
    let path = Self.absolute(path)
    self.path = path
    do {
      try Self.make(path)
      try Self.makePrivate(path)
      let file = try SystemError.check(open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
      lock.withLock { $0 = file }
      try SystemError.check(fchmod(file, 0o600))
      try SystemError.check(flock(file, LOCK_EX | LOCK_NB))
    } catch {
      release()
      throw error.code == EWOULDBLOCK ? .inUse(directory: path) : .directory(path, reason: error.description)
    }
  }

  deinit { release() }

  /// Lets another daemon have the directory.
  func release() {
    lock.withLock { file in
      guard let descriptor = file else { return }
      // A child process that is being started may have a copy for a moment.
      flock(descriptor, LOCK_UN)
      close(descriptor)
      file = nil
    }
  }

  /// Makes a directory and those that it is in, and waits until they are on the disk: what is in a directory that gets lost is lost.
  private static func make(_ path: String) throws(SystemError) {
    let parent = (path as NSString).deletingLastPathComponent
    if mkdir(path, 0o700) != 0 {
      switch errno {
      case EEXIST: return
      case ENOENT where !parent.isEmpty && parent != path: try make(parent)
      default: throw SystemError()
      }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError() }
    }
    // The umask may have taken even the owner's rights away.
    try SystemError.check(chmod(path, 0o700))
    sync(parent.isEmpty ? "." : parent)
  }

  private static func makePrivate(_ path: String) throws(SystemError) {
    var info = stat()
    try SystemError.check(stat(path, &info))
    guard info.st_mode & S_IFMT == S_IFDIR else { throw SystemError(ENOTDIR) }
    guard info.st_uid == geteuid() else { throw SystemError("it belongs to the user \(info.st_uid)") }
    if info.st_mode & 0o077 != 0 { try SystemError.check(chmod(path, 0o700)) }
  }

  /// Waits until the names in a directory are on the disk, as far as that is possible.
  private static func sync(_ path: String) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// The path from the top, which stays right whatever the working directory becomes, and which SQLite never takes for an address.
  static func absolute(_ path: String) -> String {
    path.isEmpty || path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Gives a database file another name, with all that belongs to it: `journal.sqlite.damaged-20261121T101500Z`.
  ///
  /// - Returns: the new path.
  /// - Throws: `JournalError.cannotOpen` if it cannot be moved.
  func moveAside(_ file: String) throws(JournalError) -> String {
    let base = "\(file).damaged-\(Self.timestamp())"
    var aside = base
    var count = 1
    while FileManager.default.fileExists(atPath: aside) {
      count += 1
      aside = "\(base)-\(count)"
    }
    guard rename(file, aside) == 0 else { throw .cannotOpen(file: file, reason: SystemError().description) }
    for suffix in DatabaseFile.companions { _ = rename(file + suffix, aside + suffix) }
    Self.sync(path)
    return aside
  }

  private static func timestamp() -> String {
    Date.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
  }
}
