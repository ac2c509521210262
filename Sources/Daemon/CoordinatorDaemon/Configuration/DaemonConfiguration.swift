import CoordinatorJournal
import DBus

/// What a daemon is started with.
public struct DaemonConfiguration: Sendable, Hashable {
  /// The bus to serve on.
  public var bus: BusAddress
  /// The group whose members may call on the bus of the machine; nil for none.
  public var group: UserGroup?
  /// How much it holds.
  public var limits: DaemonLimits
  /// Where everything is kept; nil to keep it in memory only.
  public var journal: JournalConfiguration?
  /// Whether to take the name over from a daemon that runs already.
  public var replace: Bool
  /// How long a handler may run before its tree is given up.
  public var handlerDeadline: Duration
  /// How long the daemon goes on without a flow before it ends, to be started again by the next call; nil for as long as it is left to.
  public var idleExit: Duration?
  /// What the property `Version` says.
  public var version: String

  /// The defaults: the session bus, nothing kept, the contract's limits, 30 seconds for a handler.
  public init(
    bus: BusAddress = .session, group: UserGroup? = nil, limits: DaemonLimits = DaemonLimits(),
    journal: JournalConfiguration? = nil,
    replace: Bool = false,
    handlerDeadline: Duration = .seconds(30), idleExit: Duration? = nil, version: String = Daemon.version
  ) {
    self.bus = bus
    self.group = group
    self.limits = limits
    self.journal = journal
    self.replace = replace
    self.handlerDeadline = handlerDeadline
    self.idleExit = idleExit
    self.version = version
  }

  /// Who may call.
  public var callers: CallerRule { .usual(on: bus, group: group) }
}
