import ArgumentParser
import CoordinatorDaemon

/// How much the daemon holds; readable as properties of its Manager.
struct LimitOptions: ParsableArguments {
  private static let defaults = DaemonLimits()

  @Option(help: "How many root coordinators may live at once.")
  var maxFlows = defaults.maxFlows

  @Option(help: "How many of them may have been started by one client that is still on the bus.")
  var maxFlowsPerClient = defaults.maxFlowsPerClient

  @Option(help: "How many coordinators deep a flow tree may be; a root is 1.")
  var maxDepth = defaults.maxDepth

  @Option(help: "How many items a list may have.")
  var maxItems = defaults.maxItems

  @Option(help: "How many bytes of input or payload one call may bring.")
  var maxPayload = defaults.maxPayload

  @Option(help: "How many ended root coordinators to remember.")
  var maxOutcomes = defaults.maxOutcomes

  @Option(help: "How many calls of one client may wait for their answer.")
  var maxCallsPerClient = defaults.maxCallsPerClient

  @Option(help: "How many calls of all clients may wait for their answer.")
  var maxCalls = defaults.maxCalls

  @Option(help: "How many bytes of memory these calls of one client may take up.")
  var maxCallBytesPerClient = defaults.maxCallBytesPerClient

  @Option(help: "How many bytes of memory these calls of all clients may take up.")
  var maxCallBytes = defaults.maxCallBytes

  @Option(help: "How many bytes of memory the inputs may take up of the flows that one client has started.")
  var maxInputBytesPerClient = defaults.maxInputBytesPerClient

  @Option(help: "How many bytes of memory the inputs of all flows may take up.")
  var maxInputBytes = defaults.maxInputBytes

  @Option(help: "How many renderers may be attached.")
  var maxRenderers = defaults.maxRenderers

  @Option(help: "To how many flow trees they may be attached, each counted for itself.")
  var maxAttachments = defaults.maxAttachments

  var limits: DaemonLimits {
    var limits = DaemonLimits()
    limits.maxFlows = maxFlows
    limits.maxFlowsPerClient = maxFlowsPerClient
    limits.maxDepth = maxDepth
    limits.maxItems = maxItems
    limits.maxPayload = maxPayload
    limits.maxOutcomes = maxOutcomes
    limits.maxCallsPerClient = maxCallsPerClient
    limits.maxCalls = maxCalls
    limits.maxCallBytesPerClient = maxCallBytesPerClient
    limits.maxCallBytes = maxCallBytes
    limits.maxInputBytesPerClient = maxInputBytesPerClient
    limits.maxInputBytes = maxInputBytes
    limits.maxRenderers = maxRenderers
    limits.maxAttachments = maxAttachments
    return limits
  }

  func validate() throws {
    if maxDepth == 0 { throw ValidationError("--max-depth is at least 1: a root is one coordinator deep") }
  }
}
