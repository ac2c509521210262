import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorJournal
import CoordinatorKit
import Logging
import Platform
import ProviderFiles

/// The configuration keys of every daemon, regardless of the flows that it serves.
enum DaemonKey {
  private static let limits = DaemonLimits()

  // MARK: Bus

  static let address = ConfigurationKey<String?>(
    "Address", in: "Bus", .text("a D-Bus address, such as unix:path=/run/user/1000/bus", name: "address"), default: nil,
    defaultText: "the session bus; with --system the system bus", flag: "address",
    "Serve on the bus at this D-Bus address, to the daemon's own user only.")

  static let group = ConfigurationKey<String?>(
    "Group", in: "Bus", .text("the name of a group", name: "group"), default: nil, flag: "group",
    "With --system: also serve the members of this group.")

  // MARK: State

  static let stateDirectory = ConfigurationKey<String?>(
    "StateDirectory", in: "State", .absolutePath, default: nil,
    defaultText: "$STATE_DIRECTORY, or a directory with the daemon's name in $XDG_STATE_HOME or ~/.local/state",
    flag: "state-dir", "The directory in which flows are stored. Only one daemon can use it at a time.")

  static let ephemeral = ConfigurationKey(
    "Ephemeral", in: "State", .boolean, default: false, flag: "ephemeral",
    "Keep flows in memory only: they end with the daemon.")

  static let sync = ConfigurationKey<JournalConfiguration.Sync>(
    "Sync", in: "State", .choice, default: .full, flag: "sync",
    """
    How much must be on disk before a call is answered. With full, flows survive a power cut; with normal and off, they \
    survive the end of the daemon, but with off, a power cut may destroy everything.
    """)

  static let maxHistory = ConfigurationKey(
    "MaxHistory", in: "State", .count(), default: 100_000, flag: "max-history",
    "The number of transitions kept in the history; 0 keeps none.")

  static let maxOutcomes = ConfigurationKey(
    "MaxOutcomes", in: "State", .count(), default: limits.maxOutcomes, flag: "max-outcomes",
    "The number of ended root coordinators to remember.")

  // MARK: Flows

  static let translations = ConfigurationKey<String?>(
    "Translations", in: "Flows", .absolutePath, default: nil,
    defaultText: "locale in the directories of $XDG_DATA_HOME and $XDG_DATA_DIRS", flag: "translations",
    """
    A directory with translations of the flows, LANGUAGE/LC_MESSAGES/NAME.mo, which override those in the usual \
    directories.
    """)

  static let providers = ConfigurationKey<String?>(
    "Providers", in: "Flows", .absolutePath, default: nil,
    defaultText: "none besides coordinatord/providers in the usual directories", flag: "providers", reloads: true,
    """
    A directory with provider files, which say which programs serve flows. They override those in the usual directories; see \
    coordinatord.provider(5).
    """)

  // MARK: Daemon

  static let idleExit = ConfigurationKey<Duration?>(
    "IdleExit", in: "Daemon", .timeOrOff(from: .seconds(1)), default: nil, flag: "idle-exit", reloads: true,
    """
    How long the daemon stays idle, without flows or calls, before it exits; the bus starts it again at the next call. Not with \
    Ephemeral.
    """
  )

  static let handlerDeadline = ConfigurationKey(
    "HandlerDeadline", in: "Daemon", .time(from: .seconds(1)), default: .seconds(30), flag: "handler-deadline", reloads: true,
    "How long a handler may take before the daemon gives up its flow, which then ends as failed.")

  static let logLevel = ConfigurationKey<Logger.Level>(
    "LogLevel", in: "Daemon", .choice, default: .notice, flag: "log-level", reloads: true,
    "What to log: notice logs start, stop and problems; info also the life of each flow; debug also refused calls.")

  // MARK: Limits

  static let maxFlows = ConfigurationKey(
    "MaxFlows", in: "Limits", .count(), default: limits.maxFlows, flag: "max-flows",
    "The maximum number of live root coordinators.")

  static let maxFlowsPerClient = ConfigurationKey(
    "MaxFlowsPerClient", in: "Limits", .count(), default: limits.maxFlowsPerClient, flag: "max-flows-per-client",
    "The maximum number of these that one client still connected to the bus may have started; on the system bus, one user.")

  static let maxDepth = ConfigurationKey(
    "MaxDepth", in: "Limits", .count(from: 1), default: limits.maxDepth, flag: "max-depth",
    "The maximum depth of a flow tree in coordinators; a root has depth 1.")

  static let maxItems = ConfigurationKey(
    "MaxItems", in: "Limits", .count(), default: limits.maxItems, flag: "max-items",
    "The maximum number of items in a list.")

  static let maxPayload = ConfigurationKey(
    "MaxPayload", in: "Limits", .bytes, default: limits.maxPayload, flag: "max-payload",
    "The maximum size of the input or payload of one call.")

  static let maxCallsPerClient = ConfigurationKey(
    "MaxCallsPerClient", in: "Limits", .count(), default: limits.maxCallsPerClient, flag: "max-calls-per-client", reloads: true,
    "The maximum number of unanswered calls of one client.")

  static let maxCalls = ConfigurationKey(
    "MaxCalls", in: "Limits", .count(), default: limits.maxCalls, flag: "max-calls", reloads: true,
    "The maximum number of unanswered calls of all clients.")

  static let maxCallBytesPerClient = ConfigurationKey(
    "MaxCallBytesPerClient", in: "Limits", .bytes, default: limits.maxCallBytesPerClient, flag: "max-call-bytes-per-client",
    reloads: true, "The maximum memory that these calls of one client may take up.")

  static let maxCallBytes = ConfigurationKey(
    "MaxCallBytes", in: "Limits", .bytes, default: limits.maxCallBytes, flag: "max-call-bytes", reloads: true,
    "The maximum memory that these calls of all clients may take up.")

  static let maxInputBytesPerClient = ConfigurationKey(
    "MaxInputBytesPerClient", in: "Limits", .bytes, default: limits.maxInputBytesPerClient, flag: "max-input-bytes-per-client",
    reloads: true, "The maximum memory that the inputs of the flows started by one client may take up.")

  static let maxInputBytes = ConfigurationKey(
    "MaxInputBytes", in: "Limits", .bytes, default: limits.maxInputBytes, flag: "max-input-bytes", reloads: true,
    "The maximum memory that the inputs of all flows may take up.")

  static let maxRenderers = ConfigurationKey(
    "MaxRenderers", in: "Limits", .count(), default: limits.maxRenderers, flag: "max-renderers", reloads: true,
    "The maximum number of attached renderers.")

  static let maxRegisteredFlows = ConfigurationKey(
    "MaxRegisteredFlows", in: "Limits", .count(), default: limits.maxRegisteredFlows, flag: "max-registered-flows",
    "The maximum number of flows that other programs serve and have registered.")

  static let maxRegisteredBytes = ConfigurationKey(
    "MaxRegisteredBytes", in: "Limits", .bytes, default: limits.maxRegisteredBytes, flag: "max-registered-bytes",
    "The maximum memory that the descriptions of these flows may take up.")

  static let maxAttachments = ConfigurationKey(
    "MaxAttachments", in: "Limits", .count(), default: limits.maxAttachments, flag: "max-attachments", reloads: true,
    "The maximum number of attachments: each flow tree that a renderer is attached to counts as one.")

  // MARK: Flows

  static let flowUsers = ConfigurationKey<[String]>(
    "Users", inEach: "Flow", "NAME", .words("names or numbers of users, separated by spaces", name: "users"), default: [],
    reloads: true, "With --system: restrict the flow NAME and its flow trees to these users and the members of Groups.")

  static let flowGroups = ConfigurationKey<[String]>(
    "Groups", inEach: "Flow", "NAME", .words("names or numbers of groups, separated by spaces", name: "groups"), default: [],
    reloads: true, "With --system: restrict the flow NAME and its flow trees to the members of these groups, and to Users.")

  static let flowAnswer = ConfigurationKey<[String]>(
    "Answer", inEach: "Flow", "NAME", .words("names or numbers of users, separated by spaces", name: "users"), default: [],
    reloads: true,
    "With --system: let only these users and the members of AnswerGroups answer the flow NAME; others may still see it.")

  static let flowAnswerGroups = ConfigurationKey<[String]>(
    "AnswerGroups", inEach: "Flow", "NAME", .words("names or numbers of groups, separated by spaces", name: "groups"),
    default: [], reloads: true,
    "With --system: let only the members of these groups, and Answer, answer the flow NAME; others may still see it.")

  /// The keys of the sections that restrict flows, which can be set in files only.
  static let ofFlows: [KeyEntry] = [flowUsers.entry, flowGroups.entry, flowAnswer.entry, flowAnswerGroups.entry]

  /// All keys that can also be set elsewhere, in the order in which they are shown.
  static let all: [KeyEntry] = [
    address.entry, group.entry,
    stateDirectory.entry, ephemeral.entry, sync.entry, maxHistory.entry, maxOutcomes.entry,
    idleExit.entry, handlerDeadline.entry, logLevel.entry,
    maxFlows.entry, maxFlowsPerClient.entry, maxDepth.entry, maxItems.entry, maxPayload.entry, maxCallsPerClient.entry,
    maxCalls.entry, maxCallBytesPerClient.entry, maxCallBytes.entry, maxInputBytesPerClient.entry, maxInputBytes.entry,
    maxRenderers.entry, maxAttachments.entry, maxRegisteredFlows.entry, maxRegisteredBytes.entry,
    translations.entry, providers.entry,
  ]
}

extension FlowAccess {
  /// Creates the rules from the sections `[Flow NAME]`. Blocks while names are looked up.
  ///
  /// - Parameters:
  ///   - read: the configuration. Unknown users and groups are added to its problems.
  ///   - isSystem: whether the daemon serves on the system bus.
  init(_ read: inout Configuration, isSystem: Bool) {
    self.init()
    for section in read.sections where section.family == DaemonKey.flowUsers.entry.family {
      guard isSystem else {
        read.refuse(section, "requires --system: on other buses, only the daemon's own user may call")
        continue
      }
      rules[section.name] = Self.rule(DaemonKey.flowUsers, DaemonKey.flowGroups, in: section, &read)
      answerRules[section.name] = Self.rule(DaemonKey.flowAnswer, DaemonKey.flowAnswerGroups, in: section, &read)
    }
  }

  /// Returns the rule that two keys make; nil if neither of them is set.
  private static func rule(
    _ users: ConfigurationKey<[String]>, _ groups: ConfigurationKey<[String]>, in section: ConfigurationSection,
    _ read: inout Configuration
  ) -> Rule? {
    let (userNames, groupNames) = (read[users, in: section], read[groups, in: section])
    guard !userNames.isEmpty || !groupNames.isEmpty else { return nil }
    return Rule(
      users: numbers(users, in: section, &read) { name throws(UserAccount.Unknown) in try UserAccount(named: name).number },
      groups: numbers(groups, in: section, &read) { name throws(UserGroup.Unknown) in try UserGroup(named: name).number },
      names: userNames.map { UInt32($0) == nil ? $0 : "user \($0)" } + groupNames.map { "members of the group \($0)" })
  }

  private static func numbers<Failure: Error & CustomStringConvertible>(
    _ key: ConfigurationKey<[String]>, in section: ConfigurationSection, _ read: inout Configuration,
    _ lookUp: (String) throws(Failure) -> UInt32
  ) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    for word in read[key, in: section] {
      if let number = UInt32(word) {
        numbers.insert(number)
        continue
      }
      do {
        numbers.insert(try lookUp(word))
      } catch {
        read.refuse(key, in: section, error.description)
      }
    }
    return numbers
  }
}

extension Configuration {
  /// Reports the sections `[Flow NAME]` of flows that no user can start, because a misspelled name would restrict nothing.
  /// Blocks while provider files are read, if there is a section whose flow is not built in.
  mutating func refuseSections(notIn catalogue: FlowCatalogue, _ places: ProviderPlaces) {
    let sections = sections.filter { $0.family == DaemonKey.flowUsers.entry.family }
    let isAllBuiltIn = sections.allSatisfy { catalogue.isBuiltIn($0.name) }
    let files = isAllBuiltIn ? .none : ProviderFiles.read(places, isBuiltIn: catalogue.isBuiltIn)
    for section in sections {
      guard let flow = catalogue.description(of: section.name) ?? files.entries[section.name]?.flow.description else {
        refuse(section, "there is no flow '\(section.name)'\(hint(for: section.name, in: catalogue, files))")
        continue
      }
      let isUseRestricted = !self[DaemonKey.flowUsers, in: section].isEmpty || !self[DaemonKey.flowGroups, in: section].isEmpty
      if flow.isInternal, isUseRestricted {
        refuse(section, "the flow is internal: only other flows start it, and only Answer= and AnswerGroups= apply to it")
      }
    }
  }

  private func hint(for name: String, in catalogue: FlowCatalogue, _ files: ProviderFiles) -> String {
    let flows = catalogue.descriptions + files.entries.values.map(\.flow.description)
    let names = flows.filter { !$0.isInternal }.map(\.name).sorted()
    return Suggestion.best(for: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Writes the problems, if there are any.
  ///
  /// - Throws: `ExitCode` 78 if there are.
  func requireNoProblems(_ target: LogTarget, of program: String) throws {
    guard !problems.isEmpty else { return }
    for problem in problems { target.complain(problem.description, of: program) }
    throw ExitCode.configuration
  }
}
