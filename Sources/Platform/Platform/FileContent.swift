import Glibc

/// Reads, writes and removes files.
public enum FileContent {
  /// Returns the contents of a file, which may be a kernel file below `/proc`; nil if it cannot be read.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the bytes.
  public static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Writes a whole file.
  ///
  /// - Parameters:
  ///   - bytes: the new contents.
  ///   - path: the path of the file.
  ///   - mode: the permissions of a file that is created, regardless of the umask.
  ///   - isNew: whether an existing file is an error (`EEXIST`); otherwise it is replaced and receives these permissions.
  /// - Throws: ``SystemCallError``.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32, isNew: Bool = false) throws(SystemCallError) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : O_TRUNC), mode)
    guard file >= 0 else { throw SystemCallError(errno) }
    defer { close(file) }
    guard fchmod(file, mode) == 0 else { throw SystemCallError(errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemCallError(count < 0 ? errno : EIO) }
      rest = rest.dropFirst(count)
    }
  }

  /// Creates a directory and its missing ancestors. An existing directory is not an error.
  ///
  /// - Parameter path: the path of the directory.
  /// - Throws: ``SystemCallError``.
  public static func createDirectories(_ path: String) throws(SystemCallError) {
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    if code == ENOENT, let slash = path.bytes.lastIndex(of: "/"), slash > path.startIndex {
      try createDirectories(String(path[..<slash]))
      guard mkdir(path, 0o777) != 0 else { return }
      throw SystemCallError(errno)
    }
    var status = stat()
    guard code == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw SystemCallError(code) }
  }

  /// Removes a directory and its contents, as far as permitted. Symbolic links are not followed.
  ///
  /// - Parameter path: the path of the directory.
  public static func removeDirectory(_ path: String) {
    if let stream = opendir(path) {
      var names: [String] = []
      while let entry = readdir(stream) {
        names.append(
          withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
      }
      closedir(stream)
      for name in names where name != "." && name != ".." {
        var status = stat()
        let child = "\(path)/\(name)"
        guard lstat(child, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { removeDirectory(child) } else { unlink(child) }
      }
    }
    rmdir(path)
  }
}

/// A system call that has failed.
public struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error number (errno).
  public let code: Int32

  /// Creates an error with an error number.
  public init(_ code: Int32) { self.code = code }

  /// The system's description of the error, such as `No such file or directory`.
  public var description: String { String(cString: strerror(code)) }
}
