import Glibc
import Platform

/// The account file on disk, which is read and replaced as a whole.
struct AccountFile: Sendable {
  /// The content of the file.
  struct Content: Sendable {
    var text: [UInt8]
    /// Whether the file is world-readable.
    var isReadableByOthers: Bool
  }

  /// The maximum size in bytes. No system needs so many accounts, and a growing file must not exhaust the memory.
  static let maximumSize = 8 << 20
  /// The number of attempts to lock the file, 10 ms apart.
  private static let patience = 100

  /// The path of the file.
  let path: String

  /// Reads the file.
  ///
  /// - Returns: the content.
  /// - Throws: ``AccountsError``.
  func read() throws(AccountsError) -> Content {
    // Nonblocking, because opening a pipe without a writer would block.
    let file = try reading { () throws(SystemFailure) in try Descriptor(opening: path, O_RDONLY | O_NONBLOCK) }
    return try content(of: file, try reading { () throws(SystemFailure) in try file.status() })
  }

  /// Locks and reads the file, in order to replace it.
  ///
  /// - Returns: the edit, which holds the lock during its lifetime.
  /// - Throws: ``AccountsError``.
  func edit() throws(AccountsError) -> AccountFileEdit {
    // A symbolic link is preserved: its target is replaced.
    guard let real = realpath(path, nil) else { throw failure(.last) }
    defer { free(real) }
    let target = String(cString: real)
    for _ in 0..<Self.patience {
      if let edit = try lock(target) { return edit }
      usleep(10_000)
    }
    throw .countNotKept(file: path, reason: "another process has locked it")
  }

  /// Locks and reads the file; returns nil if the caller must retry.
  private func lock(_ target: String) throws(AccountsError) -> AccountFileEdit? {
    let file: Descriptor
    do throws(SystemFailure) {
      // The file is replaced, not written to; but opening it for writing fails if its owner has made it read-only.
      file = try Descriptor(opening: target, O_RDWR | O_NONBLOCK)
    } catch {
      throw error.code == ENOENT ? .missing(file: path) : .countNotKept(file: path, reason: error.reason)
    }
    guard try reading({ () throws(SystemFailure) in try file.lock() }) else { return nil }
    let status = try reading { () throws(SystemFailure) in try file.status() }
    var current = stat()
    // The previous holder of the lock may have replaced the file; this lock would then be on a file that is no longer
    // visible.
    guard stat(target, &current) == 0, current.st_ino == status.st_ino, current.st_dev == status.st_dev else { return nil }
    let content = try content(of: file, status)
    return AccountFileEdit(path: path, target: target, status: status, content: content, locked: file)
  }

  private func content(of file: Descriptor, _ status: stat) throws(AccountsError) -> Content {
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(file: path, reason: "it is not a regular file") }
    guard status.st_mode & S_IWOTH == 0 else { throw .writableByOthers(file: path) }
    let text: [UInt8]?
    do throws(SystemFailure) { text = try file.bytes(limit: Self.maximumSize) } catch { throw failure(error) }
    guard let text else { throw .unreadable(file: path, reason: "it is larger than \(Self.maximumSize >> 20) MiB") }
    return Content(text: text, isReadableByOthers: status.st_mode & S_IROTH != 0)
  }

  private func reading<Result>(_ body: () throws(SystemFailure) -> Result) throws(AccountsError) -> Result {
    do throws(SystemFailure) { return try body() } catch { throw failure(error) }
  }

  private func failure(_ failure: SystemFailure) -> AccountsError {
    failure.code == ENOENT ? .missing(file: path) : .unreadable(file: path, reason: failure.reason)
  }
}

/// A locked account file, which can be replaced.
struct AccountFileEdit {
  /// The path that the caller used.
  let path: String
  /// The path of the file, with symbolic links resolved.
  let target: String
  /// The owner and the mode of the file.
  let status: stat
  /// The content of the file.
  let content: AccountFile.Content
  /// The descriptor that holds the lock.
  let locked: Descriptor

  /// Replaces the file atomically and durably: at any time, even after a power cut, either the old or the new file
  /// exists completely. Owner and mode are preserved; access control lists are lost.
  ///
  /// - Parameter text: the content of the new file.
  /// - Throws: ``AccountsError/countNotKept(file:reason:)``.
  func replace(with text: [UInt8]) throws(AccountsError) {
    let (directory, name) = location
    let temporary = "\(directory)/.\(name).new"
    // A killed process may have left one behind. Only the holder of the lock writes to it.
    unlink(temporary)
    do throws(SystemFailure) {
      let new = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      try new.write(text)
      try new.resemble(status)
      try new.synchronize()
      guard rename(temporary, target) == 0 else { throw .last }
      try Descriptor(opening: directory, O_RDONLY | O_DIRECTORY).synchronize()
    } catch {
      unlink(temporary)
      throw .countNotKept(file: path, reason: error.reason)
    }
  }

  private var location: (directory: String, name: String) {
    // An absolute path, as returned by realpath(3).
    let parts = target.bytes.split(separator: "/")
    return ("/" + parts.dropLast().joined(separator: "/"), parts.last.map(String.init) ?? "")
  }
}

/// The error of a system call.
struct SystemFailure: Error, Sendable, Hashable {
  var code: Int32

  /// The error of the last failed call.
  static var last: SystemFailure { SystemFailure(code: errno) }

  /// The system's description of the error.
  var reason: String { String(cString: strerror(code)) }
}

/// An open file, which is closed when the object is released.
final class Descriptor: Sendable {
  let number: Int32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - flags: the flags of open(2).
  ///   - mode: the mode of the file, if it is created.
  /// - Throws: ``SystemFailure``.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) {
    number = try Self.retrying { open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { close(number) }

  /// Returns the type, owner and mode of the file.
  func status() throws(SystemFailure) -> stat {
    var status = stat()
    _ = try Self.retrying { fstat(number, &status) }
    return status
  }

  /// Returns all bytes from the start; nil if there are more than `limit`.
  func bytes(limit: Int) throws(SystemFailure) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try Self.retrying { pread(number, &buffer, buffer.count, off_t(bytes.count)) }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= limit else { return nil }
    }
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try Self.retrying { rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) } }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until all written bytes are guaranteed to survive a power cut.
  func synchronize() throws(SystemFailure) { _ = try Self.retrying { fsync(number) } }

  /// Sets the owner, group and mode of the file to those of `other`.
  func resemble(_ other: stat) throws(SystemFailure) {
    let own = try status()
    if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
      _ = try Self.retrying { fchown(number, other.st_uid, other.st_gid) }
    }
    _ = try Self.retrying { fchmod(number, other.st_mode & 0o7777) }
  }

  /// Locks the file with flock(2).
  ///
  /// - Returns: false if another process holds the lock.
  func lock() throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      _ = try Self.retrying { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Repeats a call that was interrupted by a signal.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) throws(SystemFailure) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw .last }
    }
  }
}
