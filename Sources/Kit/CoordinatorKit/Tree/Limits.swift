/// The limits of one flow tree. A transition that exceeds a limit is refused.
public struct Limits: Sendable, Hashable {
  /// The maximum depth of a tree, in coordinators; a root alone has depth 1.
  public var maxDepth = 64
  /// The maximum number of rows in a list.
  public var maxItems = 10_000
  /// The maximum number of screens in a window, including covered ones.
  public var maxScreens = 1_000
  /// The maximum number of running pieces of work in a tree.
  public var maxWork = 64
  /// The maximum number of timers in a tree.
  public var maxTimers = 256
  /// The maximum number of secrets that a coordinator keeps.
  public var maxSecrets = 16
  /// The approximate maximum size of the inputs of all coordinators in a tree, in bytes of memory.
  public var maxInputSize = 8 << 20
  /// The maximum nesting depth of values that are received or sent.
  public var maxNesting = 8
  /// The maximum number of calls in a tree's queue.
  public var maxWaitingCalls = 4_096
  /// The maximum number of handlers that one event may trigger. Stops a flow that starts children endlessly.
  public var maxHandlers = 10_000
  /// How long one event waits for the processes that serve the flows of its coordinators, in all. Callers on the bus give
  /// up after 25 seconds.
  public var maxProviderTime = Duration.seconds(20)
  /// The approximate maximum size of all screens of a window, in bytes on the bus.
  public var maxWindowSize = 8 << 20

  /// The approximate maximum size of the draft of a screen, in bytes of memory.
  public var maxDraftSize = 64 << 10

  /// Creates the default limits.
  public init() {}
}
