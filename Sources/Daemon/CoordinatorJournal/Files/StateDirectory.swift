import Glibc
import Locking

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The directory that a journal's files are in: ours alone (0700), for one daemon at a time.
///
/// The lock is held until ``release()``, or until the process is gone.
final class StateDirectory: Sendable {
  let path: String
  private let lock = Lock<Int32?>(nil)

  /// Makes the directory if it is missing, and locks it.
  ///
  /// - Parameters:
  ///   - path: where.
  ///   - holder: who has it from then on, for others to read; "" to say nothing.
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

  /// Who has a directory, as far as it says.
  static func holder(of path: String) -> String? {
    let file = open("\(absolute(path))/lock", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }

  /// Says who has the directory. That there is no room for that is no reason not to use it.
  private static func note(_ holder: String, in file: Int32) {
    guard ftruncate(file, 0) == 0 else { return }
    let bytes = Array(holder.utf8)
    _ = pwrite(file, bytes, bytes.count, 0)
  }

  /// Makes a directory and those that it is in, and waits until they are on the disk: what is in a directory that gets lost is lost.
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
    // The umask may have taken even the owner's rights away.
    try SystemError.check(chmod(path, 0o700))
    sync(parent.isEmpty ? "." : parent)
  }

  /// The path of the directory that something is in; "" for none.
  private static func parent(of path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
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

  /// Waits until the names of the files in it are on the disk, as far as that is possible.
  func sync() { Self.sync(path) }

  /// Gives a database file another name, with all that belongs to it: `journal.sqlite.damaged-20261121T101500Z`.
  ///
  /// - Returns: the new path.
  /// - Throws: `JournalError.cannotOpen` if it cannot be moved.
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
      // An index, and an empty log, hold nothing.
      let isWorthKeeping = suffix != "-shm" && DatabaseFile.hasContents(file + suffix)
      _ = isWorthKeeping ? rename(file + suffix, aside + suffix) : unlink(file + suffix)
    }
    sync()
    return aside
  }

  private static func timestamp() -> String {
    Date.now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
  }
}
