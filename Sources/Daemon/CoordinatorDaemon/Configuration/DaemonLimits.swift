import CoordinatorKit
import DBus

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
