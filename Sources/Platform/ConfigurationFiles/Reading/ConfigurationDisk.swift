import Glibc
import Platform

/// Reads configuration files from the file system.
package enum ConfigurationDisk {
  /// The reason why a file or directory cannot be read.
  package struct Unreadable: Error {
    /// The message.
    package let reason: String
  }

  /// The maximum size of a file, in bytes: more than any configuration needs.
  private static let mostBytes = 1 << 20

  /// Reads a file. A character device counts as empty, so that a link to `/dev/null` hides a file of the same name
  /// elsewhere.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the contents; nil if no such file.
  /// - Throws: ``Unreadable``.
  package static func read(_ path: String) throws(Unreadable) -> [UInt8]? {
    // Non-blocking, because a path that leads to a pipe or a device must not keep the daemon from starting.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      guard isMissing(errno) else { throw Unreadable(reason: reason(errno)) }
      // In a sandbox, for example, the target of a link may be missing.
      guard !isThere(path) else { throw Unreadable(reason: "it is a dangling symbolic link") }
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Unreadable(reason: reason(errno)) }
    guard status.st_mode & S_IFMT != S_IFCHR else { return [] }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Unreadable(reason: "it is not a regular file") }
    guard status.st_size <= mostBytes else { throw Unreadable(reason: "it is larger than \(ByteCount.write(UInt32(mostBytes)))") }
    return try bytes(of: descriptor, about: Int(status.st_size))
  }

  private static func bytes(of descriptor: Int32, about size: Int) throws(Unreadable) -> [UInt8] {
    var all: [UInt8] = []
    while all.count <= mostBytes {
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, initialized in
        repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
        initialized = max(count, 0)
      }
      guard count >= 0 else { throw Unreadable(reason: reason(errno)) }
      guard count > 0 else { break }
      all += piece
    }
    return all
  }

  /// Returns the names of the drop-ins in a directory; none if there is no such directory.
  package static func dropIns(in directory: String) throws(Unreadable) -> [String] {
    guard let stream = opendir(directory) else {
      if isMissing(errno) { return [] }
      throw Unreadable(reason: reason(errno))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
      if name.bytes.hasSuffix(".conf"), !name.bytes.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private static func isMissing(_ error: Int32) -> Bool { error == ENOENT || error == ENOTDIR }

  private static func reason(_ error: Int32) -> String { String(cString: strerror(error)) }
}
