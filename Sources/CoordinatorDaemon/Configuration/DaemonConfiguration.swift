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
  /// What the property `Version` says.
  public var version: String

  /// The defaults: the session bus, nothing kept, the contract's limits, 30 seconds for a handler.
  public init(
    bus: BusAddress = .session, group: UserGroup? = nil, limits: DaemonLimits = DaemonLimits(),
    journal: JournalConfiguration? = nil,
    replace: Bool = false,
    handlerDeadline: Duration = .seconds(30), version: String = Daemon.version
  ) {
    self.bus = bus
    self.group = group
    self.limits = limits
    self.journal = journal
    self.replace = replace
    self.handlerDeadline = handlerDeadline
    self.version = version
  }

  /// Who may call.
  public var callers: CallerRule { .usual(on: bus, group: group) }
}
