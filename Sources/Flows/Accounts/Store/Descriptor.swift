import Glibc

/// What went wrong in a call of the system.
struct SystemFailure: Error, Sendable, Hashable {
  var code: Int32

  /// Of the call that has just failed.
  static var last: SystemFailure { SystemFailure(code: errno) }

  /// In the system's words.
  var reason: String { String(cString: strerror(code)) }
}

/// An open file, closed when it goes away.
final class Descriptor: Sendable {
  let number: Int32

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - flags: those of open(2).
  ///   - mode: who may do what, if it is made.
  /// - Throws: ``SystemFailure``.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemFailure) {
    number = try Self.retrying { open(path, flags | O_CLOEXEC, mode) }
  }

  deinit { close(number) }

  /// What kind of file it is, whose, and who may do what.
  func status() throws(SystemFailure) -> stat {
    var status = stat()
    _ = try Self.retrying { fstat(number, &status) }
    return status
  }

  /// All bytes from the start; nil if there are more than `limit`.
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

  /// Waits until what was written would survive a power cut.
  func synchronize() throws(SystemFailure) { _ = try Self.retrying { fsync(number) } }

  /// Gives the file to those whom `other` belongs to, with the same rights.
  func resemble(_ other: stat) throws(SystemFailure) {
    let own = try status()
    if own.st_uid != other.st_uid || own.st_gid != other.st_gid {
      _ = try Self.retrying { fchown(number, other.st_uid, other.st_gid) }
    }
    _ = try Self.retrying { fchmod(number, other.st_mode & 0o7777) }
  }

  /// Locks the file against others who lock it.
  ///
  /// - Returns: false if somebody else has.
  func lock() throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      _ = try Self.retrying { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  /// Makes a call again that a signal has interrupted.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) throws(SystemFailure) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw .last }
    }
  }
}
