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

  var limits: DaemonLimits {
    var limits = DaemonLimits()
    limits.maxFlows = maxFlows
    limits.maxFlowsPerClient = maxFlowsPerClient
    limits.maxDepth = maxDepth
    limits.maxItems = maxItems
    limits.maxPayload = maxPayload
    limits.maxOutcomes = maxOutcomes
    return limits
  }

  func validate() throws {
    if maxDepth == 0 { throw ValidationError("--max-depth is at least 1: a root is one coordinator deep") }
  }
}
