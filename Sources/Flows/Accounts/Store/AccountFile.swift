import Glibc

/// The account file on disk: read as a whole, replaced as a whole.
struct AccountFile: Sendable {
  /// What the file holds.
  struct Content: Sendable {
    var text: [UInt8]
    /// Whether everybody on this machine can read it.
    var isReadableByOthers: Bool
  }

  /// Nobody has so many accounts; and a file that grows must not take the memory of all.
  static let maximumSize = 8 << 20
  /// How often to try for the lock, 10 ms apart.
  private static let patience = 100

  /// Where the file is.
  let path: String

  /// Reads the file.
  ///
  /// - Returns: what it holds.
  /// - Throws: ``AccountsError``.
  func read() throws(AccountsError) -> Content {
    // Not blocking: a pipe without a writer would be waited for otherwise.
    let file = try reading { () throws(SystemFailure) in try Descriptor(opening: path, O_RDONLY | O_NONBLOCK) }
    return try content(of: file, try reading { () throws(SystemFailure) in try file.status() })
  }

  /// Locks the file and reads it, in order to replace it.
  ///
  /// - Returns: the edit; the lock is held for as long as it lives.
  /// - Throws: ``AccountsError``.
  func edit() throws(AccountsError) -> AccountFileEdit {
    // A link stays a link: what it leads to is replaced.
    guard let real = realpath(path, nil) else { throw failure(.last) }
    defer { free(real) }
    let target = String(cString: real)
    for _ in 0..<Self.patience {
      if let edit = try lock(target) { return edit }
      usleep(10_000)
    }
    throw .countNotKept(file: path, reason: "somebody else has locked it")
  }

  /// Nil if it has to be tried again.
  private func lock(_ target: String) throws(AccountsError) -> AccountFileEdit? {
    let file: Descriptor
    do throws(SystemFailure) {
      // The file is replaced and not written to; but its owner may have said that it must not change.
      file = try Descriptor(opening: target, O_RDWR | O_NONBLOCK)
    } catch {
      throw error.code == ENOENT ? .missing(file: path) : .countNotKept(file: path, reason: error.reason)
    }
    guard try reading({ () throws(SystemFailure) in try file.lock() }) else { return nil }
    let status = try reading { () throws(SystemFailure) in try file.status() }
    var current = stat()
    // Who had the lock before may have replaced the file: then this is the lock of one that nobody sees any more.
    guard stat(target, &current) == 0, current.st_ino == status.st_ino, current.st_dev == status.st_dev else { return nil }
    let content = try content(of: file, status)
    return AccountFileEdit(path: path, target: target, status: status, content: content, locked: file)
  }

  private func content(of file: Descriptor, _ status: stat) throws(AccountsError) -> Content {
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(file: path, reason: "it is no regular file") }
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
