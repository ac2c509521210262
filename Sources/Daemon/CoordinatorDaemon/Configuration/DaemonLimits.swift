import CoordinatorKit
import DBus

/// How much a daemon holds; the answer to a breach is LimitsExceeded. Those with a property on the bus are named as it is.
public struct DaemonLimits: Sendable, Hashable {
  /// How many root coordinators live at once.
  public var maxFlows: UInt32 = 20_000
  /// How many of them one client has started that is still on the bus; on the bus of the machine, one user.
  public var maxFlowsPerClient: UInt32 = 10_000
  /// How many coordinators deep a flow tree may be; a root is 1.
  public var maxDepth: UInt32 = 64
  /// How many rows a list may have.
  public var maxItems: UInt32 = 10_000
  /// How many bytes of input or payload one call may bring.
  public var maxPayload: UInt32 = 1 << 20
  /// How many calls of one client may wait for their answer; those of RunFlow count by themselves, up to ``maxFlowsPerClient``.
  public var maxCallsPerClient: UInt32 = 1_024
  /// How many calls of all clients may wait for their answer; those of RunFlow count by themselves, up to ``maxFlows``.
  public var maxCalls: UInt32 = 16_384
  /// About how many bytes of memory the arguments of one client's calls may take up that wait for their answer.
  public var maxCallBytesPerClient: UInt32 = 16 << 20
  /// About how many bytes of memory the arguments of all calls may take up that wait for their answer.
  public var maxCallBytes: UInt32 = 64 << 20
  /// About how many bytes of memory the inputs of flows may take up that one client has started.
  public var maxInputBytesPerClient: UInt32 = 64 << 20
  /// About how many bytes of memory the inputs of all flows may take up.
  public var maxInputBytes: UInt32 = 256 << 20
  /// How many clients may be attached as renderers.
  public var maxRenderers: UInt32 = 1_000
  /// To how many flow trees they may be attached, counted for each renderer.
  public var maxAttachments: UInt32 = 100_000
  /// How many ended root coordinators are remembered.
  public var maxOutcomes: UInt32 = 1_000

  /// The limits that the contract names as default.
  public init() {}

  /// What one flow tree may hold.
  var ofTree: Limits {
    var limits = Limits()
    limits.maxDepth = Int(maxDepth)
    limits.maxItems = Int(maxItems)
    return limits
  }

  /// What a connection takes at most.
  ///
  /// - Parameter bus: on that of the machine the connections of a user are counted together.
  /// - Returns: the limits.
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
