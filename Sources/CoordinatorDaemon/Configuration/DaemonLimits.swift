import CoordinatorKit

/// How much a daemon holds; the answer to a breach is LimitsExceeded. Those with a property on the bus are named as it is.
public struct DaemonLimits: Sendable, Hashable {
  /// How many root coordinators live at once.
  public var maxFlows: UInt32 = 20_000
  /// How many of them one client has started that is still on the bus.
  public var maxFlowsPerClient: UInt32 = 10_000
  /// How many coordinators deep a flow tree may be; a root is 1.
  public var maxDepth: UInt32 = 64
  /// How many rows a list may have.
  public var maxItems: UInt32 = 10_000
  /// How many bytes of input or payload one call may bring.
  public var maxPayload: UInt32 = 1 << 20
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
}
