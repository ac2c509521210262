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
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: NSNumber(value: 0o700)])
    } catch {
      throw .directory(path, reason: error.localizedDescription)
    }
    try Self.makePrivate(path)
    let file = open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .directory(path, reason: Self.reason()) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(file)
      throw code == EWOULDBLOCK ? .inUse(directory: path) : .directory(path, reason: Self.reason(code))
    }
    lock.withLock { $0 = file }
  }

  deinit { release() }

  /// Lets another daemon have the directory.
  func release() {
    lock.withLock { file in
      if let file { close(file) }
      file = nil
    }
  }

  private static func makePrivate(_ path: String) throws(JournalError) {
    var info = stat()
    guard stat(path, &info) == 0 else { throw .directory(path, reason: reason()) }
    guard info.st_mode & S_IFMT == S_IFDIR else { throw .directory(path, reason: "it is no directory") }
    guard info.st_uid == geteuid() else { throw .directory(path, reason: "it belongs to the user \(info.st_uid)") }
    guard info.st_mode & 0o077 != 0 else { return }
    guard chmod(path, 0o700) == 0 else { throw .directory(path, reason: reason()) }
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
    guard rename(file, aside) == 0 else { throw .cannotOpen(file: file, reason: Self.reason()) }
    // The names that SQLite looks for beside a database.
    for suffix in ["-wal", "-shm"] { _ = rename(file + suffix, aside + suffix) }
    return aside
  }

  private static func timestamp() -> String {
    Date.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
  }

  private static func reason(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
}
