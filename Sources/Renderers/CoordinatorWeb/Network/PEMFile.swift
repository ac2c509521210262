import Glibc

/// A file with a certificate or a key.
struct PEMFile: Sendable {
  /// The error of reading or writing a file: the failed operation, and the reason.
  struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// Creates an error with a description.
    init(_ description: String) { self.description = description }

    /// Creates an error with the reason of a failed call. The caller passes errno before it makes another call.
    init(_ what: String, _ number: Int32) { description = "\(what): \(String(cString: strerror(number)))" }
  }

  /// The content of a file that the server itself has written.
  enum Content: Sendable, Hashable {
    case text(String)
    /// The file does not exist.
    case missing
    /// Other users than the owner may have read it.
    case exposed
  }

  private static let largest = 64 * 1024

  let path: String

  /// Returns the text of a file that an administrator has provided.
  ///
  /// - Throws: ``Failure`` if it cannot be read.
  func text() throws(Failure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure("cannot read '\(path)'", errno) }
    defer { close(descriptor) }
    // The file may also be a pipe.
    _ = try status(of: descriptor)
    return try text(of: descriptor)
  }

  /// Returns the content of a file that only the server itself writes.
  ///
  /// - Throws: ``Failure`` if the file exists but cannot be read, or is not such a file.
  func own() throws(Failure) -> Content {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return .missing }
      if errno == ELOOP { throw Failure("'\(path)' is a symbolic link") }
      throw Failure("cannot read '\(path)'", errno)
    }
    defer { close(descriptor) }
    let status = try status(of: descriptor)
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("'\(path)' is not a file") }
    guard status.st_uid == geteuid() else { throw Failure("'\(path)' belongs to another user") }
    guard status.st_mode & 0o077 == 0 else { return .exposed }
    return .text(try text(of: descriptor))
  }

  /// Replaces the file atomically, so that no reader sees a part of it. Its mode is 0600.
  ///
  /// - Throws: ``Failure``. The file is then unchanged.
  func replace(with text: String) throws(Failure) {
    let temporary = "\(path).\(Token().text)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure("cannot write '\(temporary)'", errno) }
    let problem = Self.write(Array(text.utf8), to: descriptor)
    close(descriptor)
    if let number = problem ?? (rename(temporary, path) == 0 ? nil : errno) {
      unlink(temporary)
      throw Failure("cannot write '\(path)'", number)
    }
  }

  private func status(of descriptor: Int32) throws(Failure) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure("cannot read '\(path)'", errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw Failure("'\(path)' is a directory") }
    return status
  }

  private func text(of descriptor: Int32) throws(Failure) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      if count < 0 {
        guard errno == EINTR else { throw Failure("cannot read '\(path)'", errno) }
        continue
      }
      bytes += buffer[..<count]
      guard bytes.count <= Self.largest else { throw Failure("'\(path)' is too large for a certificate") }
    }
  }

  /// Writes bytes to the disk.
  ///
  /// - Returns: the number of the error; nil if there is none.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return errno }
      rest = rest.dropFirst(max(count, 0))
    }
    return fsync(descriptor) == 0 ? nil : errno
  }
}
