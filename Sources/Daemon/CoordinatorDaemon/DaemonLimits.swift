import CoordinatorJournal
import CoordinatorKit
import DBus
import ProviderFiles

/// The limits of a daemon. A call that exceeds one fails with the error `LimitsExceeded`.
///
/// Limits that are properties on the bus have the names of those properties.
public struct DaemonLimits: Sendable, Hashable {
  /// The maximum number of live root coordinators.
  public var maxFlows: UInt32 = 20_000
  /// The maximum number of live root coordinators started by one client that is still on the bus; on the system bus, by
  /// one user.
  public var maxFlowsPerClient: UInt32 = 10_000
  /// The maximum depth of a flow tree, in coordinators. A root has depth 1.
  public var maxDepth: UInt32 = 64
  /// The maximum number of rows in a list.
  public var maxItems: UInt32 = 10_000
  /// The maximum size of the input or payload of one call, in bytes.
  public var maxPayload: UInt32 = 1 << 20
  /// The maximum number of unanswered calls of one client. Calls of `RunFlow` are counted separately, up to
  /// ``maxFlowsPerClient``.
  public var maxCallsPerClient: UInt32 = 1_024
  /// The maximum number of unanswered calls of all clients. Calls of `RunFlow` are counted separately, up to
  /// ``maxFlows``.
  public var maxCalls: UInt32 = 16_384
  /// The approximate maximum memory for the arguments of one client's unanswered calls, in bytes.
  public var maxCallBytesPerClient: UInt32 = 16 << 20
  /// The approximate maximum memory for the arguments of all unanswered calls, in bytes.
  public var maxCallBytes: UInt32 = 64 << 20
  /// The approximate maximum memory for the inputs of all flows started by one client, in bytes.
  public var maxInputBytesPerClient: UInt32 = 64 << 20
  /// The approximate maximum memory for the inputs of all flows, in bytes.
  public var maxInputBytes: UInt32 = 256 << 20
  /// The maximum number of clients attached as renderers.
  public var maxRenderers: UInt32 = 1_000
  /// The maximum number of attachments of renderers to flow trees. A renderer attached to several trees counts once for
  /// each.
  public var maxAttachments: UInt32 = 100_000
  /// The maximum number of flows that programs on the bus serve and have registered.
  public var maxRegisteredFlows: UInt32 = 10_000
  /// The maximum size of the descriptions of these flows, in bytes. They must fit into one answer of `ListFlows`, and a message
  /// has at most 16 MiB.
  public var maxRegisteredBytes: UInt32 = 8 << 20
  /// The maximum number of ended root coordinators that are remembered.
  public var maxOutcomes: UInt32 = 1_000

  /// Creates the contract's default limits.
  public init() {}

  /// The limits of a single flow tree.
  var ofTree: Limits {
    var limits = Limits()
    limits.maxDepth = Int(maxDepth)
    limits.maxItems = Int(maxItems)
    return limits
  }

  /// Returns the limits of a connection.
  ///
  /// - Parameter bus: the bus of the connection. On the system bus, all connections of a user are counted together.
  /// - Returns: the message limits.
  func ofMessages(on bus: BusAddress) -> MessageLimits {
    var limits = MessageLimits.default
    limits.waitingCallsPerSender = Int(maxCallsPerClient)
    limits.waitingCalls = Int(maxCalls)
    limits.waitingBytesPerSender = Int(maxCallBytesPerClient)
    limits.waitingBytes = Int(maxCallBytes)
    limits.longCallsPerSender = Int(maxFlowsPerClient)
    limits.longCalls = Int(maxFlows)
    limits.countsByUser = bus == .system
    return limits
  }
}

/// The effective configuration of a host, which a reload changes. The parts of a host share one instance. Used only on the
/// host's executor.
final class HostSettings {
  /// The settings that a reload has changed and that must be applied to parts of the host.
  struct Changes: Sendable, Hashable {
    var providers = false
    var idleExit = false
  }

  private(set) var configuration: DaemonConfiguration

  /// Creates settings from the configuration that the host starts with.
  init(_ configuration: DaemonConfiguration) { self.configuration = configuration }

  /// A reader of calls that applies the current limits.
  var reader: CallReader { CallReader(maxPayload: configuration.limits.maxPayload) }

  /// Closes flows that run as root to users whom no rule names, in this daemon and in those after it.
  ///
  /// - Parameters:
  ///   - flows: the names of the flows.
  ///   - journal: keeps the names; nil if it is not open yet, or there is none.
  func close(_ flows: some Sequence<String>, in journal: Journal?) {
    let before = configuration.access.closed
    configuration.access.close(flows)
    journal?.close(configuration.access.closed.subtracting(before))
  }

  /// Closes the flows whose names a previous daemon has kept, and keeps those that were closed before the journal was open.
  func close(kept flows: Set<String>, in journal: Journal?) {
    guard isSystem else { return }
    journal?.close(configuration.access.closed.subtracting(flows))
    configuration.access.close(flows)
  }

  /// Whether the host serves on the system bus.
  var isSystem: Bool { configuration.bus == .system }

  /// Adopts the settings that can change. Settings that clients may rely on, and settings of the journal, stay as they
  /// are.
  ///
  /// - Parameter latest: the configuration that was read last.
  /// - Returns: which of them have changed.
  func adopt(_ latest: DaemonConfiguration) -> Changes {
    let changes = Changes(
      providers: configuration.providers != latest.providers, idleExit: configuration.idleExit != latest.idleExit)
    configuration.providers = latest.providers
    let closed = configuration.access.closed
    configuration.access = latest.access
    configuration.access.close(closed)
    configuration.limits.adopt(latest.limits)
    configuration.handlerDeadline = latest.handlerDeadline
    configuration.idleExit = latest.idleExit
    return changes
  }
}

extension DaemonLimits {
  /// Adopts the limits that are not properties on the bus. According to the contract, those properties are constant.
  fileprivate mutating func adopt(_ latest: DaemonLimits) {
    maxCallsPerClient = latest.maxCallsPerClient
    maxCalls = latest.maxCalls
    maxCallBytesPerClient = latest.maxCallBytesPerClient
    maxCallBytes = latest.maxCallBytes
    maxInputBytesPerClient = latest.maxInputBytesPerClient
    maxInputBytes = latest.maxInputBytes
    maxRenderers = latest.maxRenderers
    maxAttachments = latest.maxAttachments
  }
}

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
  /// The directories with scripts, which another program serves as flows.
  package var scripts: [String] = []
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
