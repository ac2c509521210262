import DBus
import Glibc
import Logging
import Platform

/// A rule that decides which users may call a daemon.
public struct CallerRule: Sendable, Hashable {
  /// The decision on a caller.
  enum Decision: Sendable, Hashable {
    case admit, refuse
    /// The decision depends on the groups of this user, which the bus did not provide.
    case lookUp(user: UInt32)
  }

  /// The ids of the users who may call.
  public var users: Set<UInt32>
  /// The group whose members may call as well; nil for none.
  public var group: UserGroup?

  /// Creates a rule that admits some users and the members of a group.
  public init(users: Set<UInt32>, group: UserGroup? = nil) {
    self.users = users
    self.group = group
  }

  /// Returns the default rule for a bus. On a session bus only the daemon's own user may call, not even root. On the
  /// system bus root, the daemon's own user and the members of `group` may.
  ///
  /// - Parameters:
  ///   - bus: the bus. A bus given by its address counts as a session bus.
  ///   - group: the group that may call on the system bus.
  ///   - own: the id of the daemon's own user.
  /// - Returns: the rule.
  public static func usual(on bus: BusAddress, group: UserGroup? = nil, own: UInt32 = geteuid()) -> CallerRule {
    switch bus {
    case .session, .address: CallerRule(users: [own])
    case .system: CallerRule(users: [0, own], group: group)
    }
  }

  /// Decides on a caller. A caller whose user the bus does not know is refused.
  func decide(on peer: PeerCredentials) -> Decision {
    guard let user = peer.user else { return .refuse }
    if users.contains(user) { return .admit }
    guard let group else { return .refuse }
    guard let groups = peer.groups else { return .lookUp(user: user) }
    return groups.contains(group.number) ? .admit : .refuse
  }
}

extension CallerRule: CustomStringConvertible {
  /// A description of the users that the rule admits.
  public var description: String {
    var all = users.sorted().map { $0 == 0 ? "root" : "user \($0)" }
    if let group { all.append("members of the group \(group.name)") }
    return all.count == 1 ? all[0] + " only" : all.joined(separator: ", ")
  }
}

extension CallerRule {
  /// Returns the admission rule that a connection applies.
  ///
  /// - Parameters:
  ///   - logger: the logger for refused callers. They are logged at `info`, because otherwise they could fill the log.
  ///   - groups: looks up the groups of a user; may block.
  /// - Returns: a rule that decides at once if it can, and looks up groups on separate threads.
  func admission(
    logger: Logger, groups: @escaping @Sendable (UInt32) -> Set<UInt32>? = SystemDatabase.groups
  ) -> AdmissionRule {
    let threads = WorkPool(most: 4)
    let complete: @Sendable (PeerCredentials) async -> PeerCredentials = { peer in
      guard case .lookUp(let user) = decide(on: peer) else { return peer }
      let found = await Task(executorPreference: threads.lane()) { groups(user) }.value ?? []
      return PeerCredentials(user: user, groups: found)
    }
    return AdmissionRule(description, completes: complete) { peer in
      let isAdmitted = decide(on: await complete(peer)) == .admit
      if !isAdmitted { logger.info("refused a caller", metadata: ["user": "\(peer.user.map(String.init) ?? "unknown")"]) }
      return isAdmitted
    }
  }
}

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

/// The users and groups of the system, regardless of the database that stores them, such as local files or a server.
enum SystemDatabase {
  /// Returns the ids of a user's groups, including the primary one; nil if there is no such user or the lookup fails.
  /// Blocks the calling thread.
  ///
  /// Source: getgrouplist(3).
  static func groups(ofUser number: UInt32) -> Set<UInt32>? {
    var entry = passwd()
    let (_, user) = read { buffer, size, found in
      getpwuid_r(number, &entry, buffer, size, &found)
    } value: { (user: passwd) in
      user.pw_name.map { (name: String(cString: $0), group: user.pw_gid) }
    }
    guard let user = user ?? nil else { return nil }
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var count = Int32(groups.count)
      if getgrouplist(user.name, user.group, &groups, &count) >= 0 { return Set(groups.prefix(Int(count))) }
      // 65,536 is `NGROUPS_MAX` on Linux.
      guard count > groups.count, count <= 65_536 else { return nil }
      groups = [gid_t](repeating: 0, count: Int(count))
    }
  }

  /// Reads an entry with a buffer that grows as needed.
  ///
  /// - Parameters:
  ///   - lookUp: a reentrant lookup function, whose name ends in `_r`.
  ///   - value: extracts a value from the entry while the buffer exists.
  /// - Returns: the status of the last call, and the value if there is an entry.
  static func read<Entry, Value>(
    _ lookUp: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> Int32, value: (Entry) -> Value
  ) -> (status: Int32, value: Value?) {
    var size = 4_096
    while true {
      var found: UnsafeMutablePointer<Entry>?
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let status = lookUp(buffer, size, &found)
      let result = found.map { value($0.pointee) }
      guard status == ERANGE, size < 16 << 20 else { return (status, result) }
      size *= 4
    }
  }
}
