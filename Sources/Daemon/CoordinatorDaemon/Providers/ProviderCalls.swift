import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Logging
import ProviderFiles

/// Handles the calls by which other processes serve flows. Used only on the host's executor.
final class ProviderCalls {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let clients: ClientWatch
  private let directory: ProviderDirectory
  private let provider: BusProvider
  private let catalogue: FlowCatalogue
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the limits.
  ///   - roots: knows the coordinators of flows.
  ///   - clients: watches the connections that serve.
  ///   - directory: announces changes.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, clients: ClientWatch, directory: ProviderDirectory
  ) {
    (provider, catalogue, logger, entry) = (host.provider, host.catalogue, host.logger, host.entry)
    (self.settings, self.roots, self.clients, self.directory) = (settings, roots, clients, directory)
  }

  /// Handles `RegisterFlows`: the caller serves flows, in place of those that it served before.
  func registerFlows(_ call: IncomingCall) {
    do throws(DBusError) {
      let registration = try registration(call)
      if let builtIn = registration.flows.first(where: { catalogue.isBuiltIn($0.description.name) }) {
        throw ContractError.flowTaken(
          message: "the flow '\(builtIn.description.name)' is built into the daemon",
          owners: [builtIn.description.name: Contract.busName]
        ).dbusError
      }
      let names = provider.withTable { $0.names(concerning: registration) }
      guard !names.isEmpty else { return accept(registration, call, owners: [:]) }
      Task { [entry, provider] in
        var owners: [String: ProviderTable.Owner] = [:]
        for name in names { owners[name] = await provider.owner(of: name) }
        await entry.host?.run { [owners] in $0.providerCalls.accept(registration, call, owners: owners) }
      }
    } catch {
      call.fail(error)
    }
  }

  private func accept(_ registration: FlowRegistration, _ call: IncomingCall, owners: [String: ProviderTable.Owner]) {
    do throws(DBusError) {
      // The table knows an owner only if the bus has announced one in the meantime, which is newer.
      for (name, owner) in owners where provider.withTable({ $0.owner(of: name) }) == .unknown {
        directory.adopt(provider.withTable { $0.setOwner(of: name, owner) })
      }
      let isSystem = settings.isSystem
      if let reason = provider.withTable({ $0.refusal(of: registration, owners: owners, isSystem: isSystem) }) {
        throw .accessDenied(reason)
      }
      try checkSize(registration.flows.count, registration.size, by: registration.owner, as: registration.name)
      let taken = provider.withTable { $0.taken(from: registration) }
      guard taken.isEmpty else {
        let flows = taken.keys.sorted().joined(separator: ", ")
        throw ContractError.flowTaken(message: "another program serves these flows: \(flows)", owners: taken).dbusError
      }
      let change = provider.withTable { $0.register(registration) }
      clients.track(call.sender)
      directory.adopt(change)
      provider.arrivals.arrived([registration.name])
      reportDifferences(registration)
      let flows = Set(registration.flows.map(\.description.name))
      call.reply([.uint32(UInt32(clamping: liveCount(of: flows)))])
      directory.retryHolds(of: flows)
    } catch {
      call.fail(error)
    }
  }

  /// Handles `UnregisterFlows`: the caller no longer serves some flows, or any.
  func unregisterFlows(_ call: IncomingCall) {
    let names = call.arguments.first?.elements?.compactMap(\.string) ?? []
    directory.adopt(provider.withTable { $0.unregister(names.isEmpty ? nil : names, of: call.sender) })
    call.reply()
    clients.untrackIfIdle(call.sender)
  }

  /// Handles `ListProviders`, which lists the providers of flows that the caller may start.
  func listProviders(_ call: IncomingCall) {
    Task { [entry, provider, catalogue] in
      let table = provider.withTable { $0 }
      let activatable = table.files.files.isEmpty ? [] : await provider.activatableNames()
      await entry.host?.run { parts in
        var list = ProviderList(table, activatable: activatable, hidden: parts.access.flows(hiddenFrom: call))
        for root in parts.roots.live.values { list.count(root.state.coordinators.values) }
        call.reply([.vardicts(list.entries(builtIn: catalogue.builtInNames))])
      }
    }
  }

  /// Handles `ReadState`. Only root, the daemon's own user and the program itself may read a program's stored state.
  func readState(_ call: IncomingCall) {
    do throws(DBusError) {
      let (path, known) = try settings.reader.outcomeRequest(call.arguments)
      guard let coordinator = known, let root = roots.live[String(coordinator.root)] else {
        if let held = known.flatMap({ roots.hosted(String($0.root)) })?.held, !held.isEmpty { throw .held(held) }
        throw .unknownObject("no coordinator \(path) is known")
      }
      guard let record = root.state.coordinators[coordinator] else { throw .unknownObject("no coordinator \(path) is known") }
      let server = provider.withTable { $0.provider(of: record.flow)?.owner }
      let user = call.credentials?.user
      guard user == 0 || user == geteuid() || server == call.sender else {
        throw .accessDenied("only root, the daemon's user and the program that serves the flow may read its state")
      }
      guard record.providedState != nil else { throw .invalidArgs("the flow \(record.flow) is built in") }
      Task(executorPreference: globalConcurrentExecutor) {
        // The published state may be older, because a change without visible effect is not published.
        guard let state = await root.tree.providedState(of: coordinator) else {
          return call.fail(.unknownObject("no coordinator \(path) is known"))
        }
        call.reply([.string(state)])
      }
    } catch {
      call.fail(error)
    }
  }

  // MARK: Parts

  private func registration(_ call: IncomingCall) throws(DBusError) -> FlowRegistration {
    guard call.arguments.count == 3, let path = call.arguments[0].objectPath, let flows = call.arguments[1].elements else {
      throw .invalidArgs("RegisterFlows needs a path, flows and options")
    }
    var options = try NamedArguments(call.arguments[2], of: "the options of RegisterFlows")
    let name = try options.string("name") ?? ""
    let concurrency = Int(clamping: try options.unsigned("concurrency") ?? UInt64(FlowRegistration.maxConcurrency))
    let digest = try options.string("digest") ?? ""
    // Older libraries send this option. It has no effect: the bus decides which connection owns a name.
    _ = try options.boolean("replace")
    try options.finish()
    // Checked before memory is allocated for the flows.
    try checkSize(flows.count, flows.reduce(0) { $0 + $1.wireSize }, by: call.sender, as: name)
    var registered: [RegisteredFlow] = []
    for flow in flows { registered.append(try RegisteredFlow(flow)) }
    try checkSize(flows.count, registered.reduce(0) { $0 + $1.size }, by: call.sender, as: name)
    let names = registered.map(\.description.name)
    guard Set(names).count == names.count else { throw .invalidArgs("a flow is registered twice") }
    return FlowRegistration(
      owner: call.sender, name: name, path: path, concurrency: min(max(concurrency, 1), FlowRegistration.maxConcurrency),
      flows: registered, digest: digest)
  }

  private func checkSize(_ flows: Int, _ size: Int, by owner: String, as name: String) throws(DBusError) {
    let limits = settings.configuration.limits
    if let reason = provider.withTable({ $0.excess(flows, size: size, by: owner, as: name, limits: limits) }) {
      throw .limitsExceeded(reason)
    }
  }

  /// Logs flows whose input differs from their file, because callers may have built theirs from the file.
  private func reportDifferences(_ registration: FlowRegistration) {
    let entries = provider.withTable { $0.files.entries }
    for flow in registration.flows {
      guard let entry = entries[flow.description.name],
        entry.flow.description.input.schema != flow.description.input.schema
      else { continue }
      logger.warning(
        "a provider has registered a flow with another input than its file says",
        metadata: ["flow": "\(flow.description.name)", "file": "\(entry.file.path)"])
    }
  }

  private func liveCount(of flows: Set<String>) -> Int {
    roots.live.values.reduce(0) { $0 + $1.state.coordinators.values.count { flows.contains($0.flow) } }
  }
}

/// Creates the result of `ListProviders`.
struct ProviderList {
  /// The table of providers.
  let table: ProviderTable
  /// The names for which the bus can start a program.
  let activatable: Set<String>
  /// The flows that the caller must not see.
  let hidden: Set<String>
  /// The numbers of live and of held coordinators, by flow.
  private var counts: [String: (live: Int, held: Int)] = [:]

  init(_ table: ProviderTable, activatable: Set<String>, hidden: Set<String>) {
    (self.table, self.activatable, self.hidden) = (table, activatable, hidden)
  }

  /// Counts the coordinators of a tree.
  mutating func count(_ coordinators: some Sequence<CoordinatorRecord>) {
    for coordinator in coordinators {
      counts[coordinator.flow, default: (0, 0)].live += 1
      if coordinator.hold != nil { counts[coordinator.flow]?.held += 1 }
    }
  }

  /// Returns the entries: the daemon, then the files in descending precedence, then providers that have only registered.
  /// A provider of which the caller must not see any flow has none.
  func entries(builtIn: [String]) -> [[String: Value]] {
    let flows = Dictionary(grouping: table.served.keys) { table.served[$0]?.file?.path ?? "" }
    let files = table.files.files.compactMap { file in
      visible(flows[file.path] ?? []).map { entry(of: file, flows: $0) }
    }
    return [entry("builtin", Contract.busName, flows: visible(builtIn) ?? [], state: .running)] + files
      + table.files.faulty.map(entry(ofFaulty:)) + table.all.compactMap(entry(of:))
  }

  /// Returns those of a provider's flows that the caller may see; nil if it may see none of them.
  private func visible(_ flows: [String]) -> [String]? {
    let visible = flows.filter { !hidden.contains($0) }
    return visible.isEmpty && !flows.isEmpty ? nil : visible
  }

  private enum State: String { case running, activatable, away, failing }

  private func entry(of file: ProviderFile, flows: [String]) -> [String: Value] {
    let name = file.busName
    let trouble = table.trouble(of: name)
    let state: State =
      table.owner(of: name).connection != nil
      ? .running : trouble != nil ? .failing : activatable.contains(name) ? .activatable : .away
    var problems = table.files.losses[file.path]?.map(\.reason) ?? []
    if state == .failing, let trouble { problems.append(trouble) }
    return entry(
      "file", name, title: file.title, path: file.objectPath, flows: flows, state: state, file: file.path, problems: problems)
  }

  private func entry(ofFaulty faulty: ProviderFile.Reading) -> [String: Value] {
    entry(
      "file", faulty.busName ?? "", flows: [], state: .failing, file: faulty.path,
      problems: faulty.problems.map(\.description))
  }

  /// Returns the entry for the flows of a registration that no file gives to its name; nil if there are none.
  private func entry(of registration: FlowRegistration) -> [String: Value]? {
    let flows = registration.flows.map(\.description.name).filter { flow in
      table.served[flow].map { $0.file == nil && $0.owner == registration.owner } ?? false
    }
    guard !flows.isEmpty, let flows = visible(flows) else { return nil }
    return entry("registered", registration.title, path: registration.path, flows: flows, state: .running)
  }

  private func entry(
    _ origin: String, _ name: String, title: String? = nil, path: ObjectPath = .root, flows: [String], state: State,
    file: String? = nil, problems: [String] = []
  ) -> [String: Value] {
    var entry: [String: Value] = [
      "name": .string(name), "origin": .string(origin), "path": .objectPath(path), "flows": .strings(flows.sorted()),
      "state": .string(state.rawValue),
      "live": .uint32(UInt32(clamping: flows.reduce(0) { $0 + (counts[$1]?.live ?? 0) })),
      "held": .uint32(UInt32(clamping: flows.reduce(0) { $0 + (counts[$1]?.held ?? 0) })),
    ]
    entry["title"] = title.map(Value.string)
    entry["file"] = file.map(Value.string)
    if !problems.isEmpty { entry["problem"] = .string(problems.joined(separator: "; ")) }
    return entry
  }
}

/// The flows that one connection serves.
struct FlowRegistration: Sendable {
  /// The connection's unique name. The owner of ``name`` changes when another connection takes it.
  var owner: String
  /// The well-known name under which it serves; "" for none.
  let name: String
  /// The path of the provider's object.
  let path: ObjectPath
  /// The maximum number of questions that the provider is asked at once.
  let concurrency: Int
  var flows: [RegisteredFlow] { didSet { positions = Self.positions(of: flows) } }
  /// Identifies the build of the program; "" if the provider does not send it.
  let digest: String
  /// The position of each flow in ``flows``: each of a thousand is looked up whenever any registration changes.
  private var positions: [String: Int]

  /// The upper limit of ``concurrency``.
  static var maxConcurrency: Int { 16 }

  /// Creates a registration.
  init(
    owner: String, name: String, path: ObjectPath, concurrency: Int = FlowRegistration.maxConcurrency,
    flows: [RegisteredFlow], digest: String = ""
  ) {
    (self.owner, self.name, self.path) = (owner, name, path)
    (self.concurrency, self.flows, self.digest) = (concurrency, flows, digest)
    positions = Self.positions(of: flows)
  }

  private static func positions(of flows: [RegisteredFlow]) -> [String: Int] {
    Dictionary(flows.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The key of the registration: its name or, for a connection without a name, its unique name.
  var key: String { name.isEmpty ? owner : name }

  /// The name of the provider for users.
  var title: String { name.isEmpty ? owner : name }

  /// Returns the flow with a name; nil if the registration does not contain it.
  subscript(name: String) -> RegisteredFlow? { positions[name].map { flows[$0] } }

  /// The size of the descriptions of its flows, in bytes.
  var size: Int { flows.reduce(0) { $0 + $1.size } }
}
