import Glibc

/// A user of this system.
public struct UserAccount: Sendable, Hashable {
  /// The error for a user that does not exist or cannot be looked up.
  public struct Unknown: Error, Sendable, Hashable, CustomStringConvertible {
    /// A human-readable message.
    public let description: String
  }

  /// The user id.
  public let number: UInt32

  /// Looks up a user by name. Blocks the calling thread until the system answers.
  ///
  /// - Parameter name: the name of the user; a user id is not accepted.
  /// - Throws: ``Unknown``.
  public init(named name: String) throws(Unknown) {
    var entry = passwd()
    let (status, number) = SystemDatabase.read { buffer, size, found in
      getpwnam_r(name, &entry, buffer, size, &found)
    } value: { (user: passwd) in
      user.pw_uid
    }
    guard let number else {
      // Some systems report a missing entry as an error; see getpwnam(3).
      let isCertain = [0, ENOENT, ESRCH].contains(status)
      throw Unknown(
        description: isCertain
          ? "there is no user '\(name)' on this system"
          : "the user '\(name)' cannot be looked up: \(String(cString: strerror(status)))")
    }
    self.number = number
  }
}
