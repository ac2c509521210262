/// How much one flow tree may hold; a breach refuses the transition.
public struct Limits: Sendable, Hashable {
  /// How many coordinators deep a tree may be; a root is 1.
  public var maxDepth = 64
  /// How many rows a list may have.
  public var maxItems = 10_000
  /// How many screens a window may hold, covered ones included.
  public var maxScreens = 1_000
  /// How many pieces of work may run in a tree.
  public var maxWork = 64
  /// How many bytes of memory the inputs of a tree's coordinators may take up, roughly.
  public var maxInputSize = 8 << 20
  /// How many levels deep a value may be that comes in or goes out.
  public var maxNesting = 8
  /// How many calls may wait in a tree's queue.
  public var maxWaitingCalls = 4_096
  /// How many handlers one event may set off; a flow that starts children without end is stopped here.
  public var maxHandlers = 10_000
  /// How many bytes the screens of a window may take on the bus, roughly.
  public var maxWindowSize = 8 << 20

  /// How many bytes of memory the draft of a screen may take up, roughly.
  public var maxDraftSize = 64 << 10

  /// The limits that hold by default.
  public init() {}
}
