import CoordinatorJournal
import DBus
import ProviderFiles

/// The settings that a daemon is started with.
public struct DaemonConfiguration: Sendable, Hashable {
  /// The bus to serve on.
  public var bus: BusAddress
  /// The group whose members may call on the system bus; nil for none.
  public var group: UserGroup?
  /// The rules that restrict flows to some of the users who may call.
  public var access: FlowAccess
  /// The directories of provider files, which describe the programs that serve flows.
  public var providers: ProviderPlaces
  /// The time within which a provider that is started must own its name.
  package var providerStartTime = Duration.seconds(20)
  /// The limits that the daemon enforces.
  public var limits: DaemonLimits
  /// The settings of the journal that stores flows; nil to keep flows in memory only.
  public var journal: JournalConfiguration?
  /// Whether to take over the name from a daemon that is already running.
  public var replace: Bool
  /// How long a handler may run before its flow tree ends as failed.
  public var handlerDeadline: Duration
  /// How long the daemon keeps running without flows before it exits, to be started again by the next call; nil to run
  /// until it is stopped.
  public var idleExit: Duration?
  /// The value of the property `Version` on the bus.
  public var version: String

  /// Creates a configuration. The defaults are the session bus, no provider files, no journal, the contract's limits, and
  /// a handler deadline of 30 seconds.
  public init(
    bus: BusAddress = .session, group: UserGroup? = nil, access: FlowAccess = FlowAccess(),
    providers: ProviderPlaces = ProviderPlaces(), limits: DaemonLimits = DaemonLimits(),
    journal: JournalConfiguration? = nil,
    replace: Bool = false,
    handlerDeadline: Duration = .seconds(30), idleExit: Duration? = nil, version: String = Daemon.version
  ) {
    self.bus = bus
    self.group = group
    self.access = access
    self.providers = providers
    self.limits = limits
    self.journal = journal
    self.replace = replace
    self.handlerDeadline = handlerDeadline
    self.idleExit = idleExit
    self.version = version
  }

  /// The rule that decides which users may call the daemon on ``bus``.
  public var callers: CallerRule { .usual(on: bus, group: group) }
}
