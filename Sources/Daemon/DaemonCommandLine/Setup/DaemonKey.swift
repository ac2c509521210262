import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorJournal
import Logging

/// The configuration keys that every daemon has, whatever flows it serves.
enum DaemonKey {
  private static let limits = DaemonLimits()

  // MARK: Bus

  static let address = ConfigurationKey<String?>(
    "Address", in: "Bus", .text("a D-Bus address, such as unix:path=/run/user/1000/bus", name: "address"), default: nil,
    defaultText: "the session bus; with --system the system bus", flag: "address",
    "Serve on the bus at this D-Bus address, for the daemon's own user alone.")

  static let group = ConfigurationKey<String?>(
    "Group", in: "Bus", .text("the name of a group", name: "group"), default: nil, flag: "group",
    "With --system: serve the members of this group as well.")

  // MARK: State

  static let stateDirectory = ConfigurationKey<String?>(
    "StateDirectory", in: "State", .absolutePath, default: nil,
    defaultText: "$STATE_DIRECTORY, or one of the daemon's name in $XDG_STATE_HOME or ~/.local/state",
    flag: "state-dir", "The directory in which flows are kept. It belongs to one daemon at a time.")

  static let ephemeral = ConfigurationKey(
    "Ephemeral", in: "State", .boolean, default: false, flag: "ephemeral",
    "Keep flows in memory only: they end with the daemon.")

  static let sync = ConfigurationKey<JournalConfiguration.Sync>(
    "Sync", in: "State", .choice, default: .full, flag: "sync",
    """
    How much must be on the disk before a call is answered: full survives a power cut; normal and off survive the end of the daemon, and off \
    may lose everything in a power cut.
    """)

  static let maxHistory = ConfigurationKey(
    "MaxHistory", in: "State", .count(), default: 100_000, flag: "max-history",
    "How many transitions the history goes back; 0 for none.")

  static let maxOutcomes = ConfigurationKey(
    "MaxOutcomes", in: "State", .count(), default: limits.maxOutcomes, flag: "max-outcomes",
    "How many ended root coordinators to remember.")

  // MARK: Daemon

  static let idleExit = ConfigurationKey<Duration?>(
    "IdleExit", in: "Daemon", .timeOrOff(from: .seconds(1)), default: nil, flag: "idle-exit", reloads: true,
    "How long to go on without flows and calls before the daemon ends, for the bus to start it again at the next call. Not with Ephemeral."
  )

  static let handlerDeadline = ConfigurationKey(
    "HandlerDeadline", in: "Daemon", .time(from: .seconds(1)), default: .seconds(30), flag: "handler-deadline", reloads: true,
    "How long a handler may take before its flow is given up.")

  static let logLevel = ConfigurationKey<Logger.Level>(
    "LogLevel", in: "Daemon", .choice, default: .notice, flag: "log-level", reloads: true,
    "What to log: notice tells of start, stop and problems, info of each flow's life, debug of refused calls as well.")

  // MARK: Limits

  static let maxFlows = ConfigurationKey(
    "MaxFlows", in: "Limits", .count(), default: limits.maxFlows, flag: "max-flows",
    "How many root coordinators may live at once.")

  static let maxFlowsPerClient = ConfigurationKey(
    "MaxFlowsPerClient", in: "Limits", .count(), default: limits.maxFlowsPerClient, flag: "max-flows-per-client",
    "How many of them may have been started by one client that is still on the bus; on the bus of the machine, by one user.")

  static let maxDepth = ConfigurationKey(
    "MaxDepth", in: "Limits", .count(from: 1), default: limits.maxDepth, flag: "max-depth",
    "How many coordinators deep a flow tree may be; a root is 1.")

  static let maxItems = ConfigurationKey(
    "MaxItems", in: "Limits", .count(), default: limits.maxItems, flag: "max-items",
    "How many items a list may have.")

  static let maxPayload = ConfigurationKey(
    "MaxPayload", in: "Limits", .bytes, default: limits.maxPayload, flag: "max-payload",
    "How many bytes of input or payload one call may bring.")

  static let maxCallsPerClient = ConfigurationKey(
    "MaxCallsPerClient", in: "Limits", .count(), default: limits.maxCallsPerClient, flag: "max-calls-per-client", reloads: true,
    "How many calls of one client may wait for their answer.")

  static let maxCalls = ConfigurationKey(
    "MaxCalls", in: "Limits", .count(), default: limits.maxCalls, flag: "max-calls", reloads: true,
    "How many calls of all clients may wait for their answer.")

  static let maxCallBytesPerClient = ConfigurationKey(
    "MaxCallBytesPerClient", in: "Limits", .bytes, default: limits.maxCallBytesPerClient, flag: "max-call-bytes-per-client",
    reloads: true, "How many bytes of memory these calls of one client may take up.")

  static let maxCallBytes = ConfigurationKey(
    "MaxCallBytes", in: "Limits", .bytes, default: limits.maxCallBytes, flag: "max-call-bytes", reloads: true,
    "How many bytes of memory these calls of all clients may take up.")

  static let maxInputBytesPerClient = ConfigurationKey(
    "MaxInputBytesPerClient", in: "Limits", .bytes, default: limits.maxInputBytesPerClient, flag: "max-input-bytes-per-client",
    reloads: true, "How many bytes of memory the inputs may take up of the flows that one client has started.")

  static let maxInputBytes = ConfigurationKey(
    "MaxInputBytes", in: "Limits", .bytes, default: limits.maxInputBytes, flag: "max-input-bytes", reloads: true,
    "How many bytes of memory the inputs of all flows may take up.")

  static let maxRenderers = ConfigurationKey(
    "MaxRenderers", in: "Limits", .count(), default: limits.maxRenderers, flag: "max-renderers", reloads: true,
    "How many renderers may be attached.")

  static let maxAttachments = ConfigurationKey(
    "MaxAttachments", in: "Limits", .count(), default: limits.maxAttachments, flag: "max-attachments", reloads: true,
    "To how many flow trees they may be attached, each counted for itself.")

  /// All keys, in the order in which they are shown.
  static let all: [KeyEntry] = [
    address.entry, group.entry,
    stateDirectory.entry, ephemeral.entry, sync.entry, maxHistory.entry, maxOutcomes.entry,
    idleExit.entry, handlerDeadline.entry, logLevel.entry,
    maxFlows.entry, maxFlowsPerClient.entry, maxDepth.entry, maxItems.entry, maxPayload.entry, maxCallsPerClient.entry,
    maxCalls.entry, maxCallBytesPerClient.entry, maxCallBytes.entry, maxInputBytesPerClient.entry, maxInputBytes.entry,
    maxRenderers.entry, maxAttachments.entry,
  ]
}
