import Glibc

/// A group of users of this system.
public struct UserGroup: Sendable, Hashable {
  /// The error for a group that does not exist or cannot be looked up.
  public struct Unknown: Error, Sendable, Hashable, CustomStringConvertible {
    /// A human-readable message.
    public let description: String
  }

  /// The name of the group.
  public let name: String
  /// The group id.
  public let number: UInt32

  /// Creates a group whose name and id are known.
  public init(name: String, number: UInt32) {
    self.name = name
    self.number = number
  }

  /// Looks up a group by name. Blocks the calling thread until the system answers.
  ///
  /// - Parameter name: the name of the group; a group id is not accepted.
  /// - Throws: ``Unknown``.
  public init(named name: String) throws(Unknown) {
    var entry = group()
    let (status, number) = SystemDatabase.read { buffer, size, found in
      getgrnam_r(name, &entry, buffer, size, &found)
    } value: { (group: group) in
      group.gr_gid
    }
    guard let number else { throw Unknown(name, status) }
    self.init(name: name, number: number)
  }
}

extension UserGroup.Unknown {
  fileprivate init(_ name: String, _ status: Int32) {
    // Some systems report a missing entry as an error; see getgrnam(3).
    let isCertain = [0, ENOENT, ESRCH].contains(status)
    description =
      isCertain
      ? "there is no group '\(name)' on this system; create it with `groupadd --system \(name)`"
      : "the group '\(name)' cannot be looked up: \(String(cString: strerror(status)))"
  }
}
