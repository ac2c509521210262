import Glibc

/// Reads whole files, without Foundation.
enum CatalogueFile {
  /// Returns the content of a regular file of at most ``MessageCatalogue/maximumSize`` bytes.
  static func bytes(of path: String) throws(MessageCatalogueError.Reason) -> [UInt8] {
    // Opening a pipe without O_NONBLOCK would wait for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= MessageCatalogue.maximumSize else { throw .tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      // The file may grow while it is read.
      guard bytes.count <= MessageCatalogue.maximumSize else { throw .tooLarge }
    }
  }

  /// Whether there is nothing at a path.
  static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) }

  /// Returns the names in a directory, sorted; empty if there is no such directory.
  static func names(in directory: String) throws(MessageCatalogueError.Reason) -> [String] {
    guard let stream = opendir(directory) else {
      if errno == ENOENT { return [] }
      throw failure()
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    guard errno == 0 else { throw failure() }
    return names.sorted()
  }

  private static func failure() -> MessageCatalogueError.Reason { .unreadable(String(cString: strerror(errno))) }
}
