import Glibc
import Platform

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
