import Glibc

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
  /// - Returns: the edit, which holds the lock for as long as it lives.
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
