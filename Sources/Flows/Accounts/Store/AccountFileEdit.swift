import Glibc

/// An account file that is locked, and may be replaced by a new one.
struct AccountFileEdit {
  /// How the file is called by who asked for it.
  let path: String
  /// Where it is, links followed.
  let target: String
  /// Whose it is, and who may do what.
  let status: stat
  /// What it holds.
  let content: AccountFile.Content
  /// Holds the lock.
  let locked: Descriptor

  /// Puts a new file in the place of the old one, so that at any moment there is one or the other, whole, even after a power cut. It
  /// has the same owner and the same mode; access control lists are lost.
  ///
  /// - Parameter text: what the new file holds.
  /// - Throws: ``AccountsError/countNotKept(file:reason:)``.
  func replace(with text: [UInt8]) throws(AccountsError) {
    let (directory, name) = location
    let temporary = "\(directory)/.\(name).new"
    // A program that was killed may have left one; whoever has the lock is the only one who writes it.
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
    // An absolute path, as realpath(3) gives it.
    let parts = target.split(separator: "/")
    return ("/" + parts.dropLast().joined(separator: "/"), parts.last.map(String.init) ?? "")
  }
}
