import Glibc

/// A group of users of this system.
public struct UserGroup: Sendable, Hashable {
  /// There is no such group, or nobody knows whether there is.
  public struct Unknown: Error, Sendable, Hashable, CustomStringConvertible {
    /// For people.
    public let description: String
  }

  /// Its name.
  public let name: String
  /// Its number.
  public let number: UInt32

  /// A group that is known already.
  public init(name: String, number: UInt32) {
    self.name = name
    self.number = number
  }

  /// Looks a group up by its name. Blocks for as long as the system takes for it.
  ///
  /// - Parameter name: its name; a number is none.
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
    // Some systems say that nothing was found by an error; see getgrnam(3).
    let isCertain = [0, ENOENT, ESRCH].contains(status)
    description =
      isCertain
      ? "there is no group '\(name)' on this system; `groupadd --system \(name)` makes it"
      : "the group '\(name)' cannot be looked up: \(String(cString: strerror(status)))"
  }
}
