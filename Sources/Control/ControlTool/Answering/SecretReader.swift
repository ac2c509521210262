import CoordinatorAnswers
import CoordinatorKit
import Glibc
import Platform

/// Reads the secrets that an answers file refers to.
package struct SecretReader: Sendable {
  /// The reason why a secret cannot be read. Names its location, never its value.
  package struct Unreadable: Error, Sendable, Hashable {
    package var reason: String
  }

  /// The maximum length of a secret, in bytes; longer than anything that is typed.
  private static let longestValue = 1 << 16

  /// The directory in which systemd stores the service's credentials (see systemd.exec(5)); nil if there is none.
  var credentials: String?
  /// The time to wait for a line from a descriptor.
  var patience = Duration.seconds(30)
  /// The threads for blocking reads.
  private let threads = WorkPool(name: "secrets")

  /// Creates a reader for the environment of a process.
  package init(environment: [String: String]) { credentials = environment["CREDENTIALS_DIRECTORY"] }

  /// Reads a secret on a separate thread, because the read may block.
  func read(_ reference: SecretReference) async throws(Unreadable) -> Secret {
    try await Task(executorPreference: threads.lane()) {
      Result { () throws(Unreadable) in try readNow(reference) }
    }.value.get()
  }

  /// Throws if a secret cannot be read. Makes the same checks before the flow starts as at the later read. A descriptor is not
  /// read, because its lines can be read only once.
  func check(_ reference: SecretReference) throws(Unreadable) {
    switch reference {
    case .descriptor(let number): try Self.check(number)
    case .credential, .file: _ = try Self.contents(of: path(of: reference))
    }
  }

  private func readNow(_ reference: SecretReference) throws(Unreadable) -> Secret {
    guard case .descriptor(let number) = reference else { return try Self.contents(of: path(of: reference)) }
    try Self.check(number)
    return try line(of: number)
  }

  private func path(of reference: SecretReference) throws(Unreadable) -> String {
    switch reference {
    case .descriptor(let number): return "/dev/fd/\(number)"
    case .file(let path): return path
    case .credential(let name):
      guard let credentials, !credentials.isEmpty else {
        throw Unreadable(reason: "there is no credential '\(name)': CREDENTIALS_DIRECTORY is not set")
      }
      return "\(credentials)/\(name)"
    }
  }

  private static func check(_ descriptor: Int32) throws(Unreadable) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY else { throw Unreadable(reason: "fd \(descriptor) is not open for reading") }
    guard isatty(descriptor) == 0 else { throw Unreadable(reason: "fd \(descriptor) is a terminal") }
  }

  /// Reads the next line byte by byte, so that the following lines are left for the next read.
  private func line(of descriptor: Int32) throws(Unreadable) -> Secret {
    let end = ContinuousClock.now + patience
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.longestValue)
    defer { Self.wipe(&bytes) }
    while bytes.count < Self.longestValue {
      let left = max(0, (end - .now).components.seconds)
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, Int32(clamping: left * 1000))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw Unreadable(reason: "timed out waiting for fd \(descriptor)") }
      var byte: UInt8 = 0
      let count = Glibc.read(descriptor, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw Self.systemError("fd \(descriptor)") }
      if count == 0, bytes.isEmpty { throw Unreadable(reason: "fd \(descriptor) has no more lines") }
      if count == 0 || byte == UInt8(ascii: "\n") { return Secret(bytes: bytes) }
      bytes.append(byte)
    }
    throw Unreadable(reason: "the line in fd \(descriptor) is longer than \(Self.longestValue) bytes")
  }

  private static func contents(of path: String) throws(Unreadable) -> Secret {
    // `O_NONBLOCK` keeps `open` from waiting for the other end of a FIFO; the check below refuses such a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw systemError(path) }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(reason: "'\(path)' is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: longestValue + 1)
    defer { wipe(&bytes) }
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw systemError(path) }
      if more == 0 { break }
      count += more
    }
    guard count <= longestValue else { throw Unreadable(reason: "'\(path)' is longer than \(longestValue) bytes") }
    if count > 0, bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
    return Secret(bytes: bytes[..<count])
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
  }

  private static func systemError(_ what: String) -> Unreadable {
    Unreadable(reason: "cannot read '\(what)': \(String(cString: strerror(errno)))")
  }
}
