import Glibc

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
