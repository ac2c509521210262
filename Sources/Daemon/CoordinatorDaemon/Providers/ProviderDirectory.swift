import CoordinatorBus
import CoordinatorKit
import DBus
import Logging
import Platform
import ProviderFiles

/// Tracks which connections own the names that serve flows, and announces changes of the list of flows. Used only on the host's
/// executor.
final class ProviderDirectory {
  /// The watches on the owners of the names that serve flows.
  private var watches: [String: OwnerWatch] = [:]
  /// The unique names of the connections that own these names.
  private var owners: [String: String] = [:]
  private let settings: HostSettings
  private let roots: RootRegistry
  private let clients: ClientWatch
  private let activity: HostActivity
  private let flows: OfferedFlows
  private let provider: BusProvider
  private let environments: TreeEnvironments
  private let bus: BusSender
  private let connection: Connection
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a directory that follows no name.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the kind of the bus: on the system bus, only trusted users may serve.
  ///   - roots: knows which flows have live coordinators.
  ///   - clients: watches the connections that serve.
  ///   - activity: tracks the number of flows and renderers.
  ///   - flows: the list of flows.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, clients: ClientWatch, activity: HostActivity,
    flows: OfferedFlows
  ) {
    (provider, bus, connection) = (host.provider, host.bus, host.connection)
    (logger, entry, environments) = (host.logger, host.entry, host.environments)
    (self.settings, self.roots, self.clients, self.activity, self.flows) = (settings, roots, clients, activity, flows)
  }

  /// Applies a change of the list of flows, and announces it.
  func adopt(_ change: ProviderTable.Change) {
    guard !change.isEmpty else { return }
    closeFlowsOfRoot(change)
    follow()
    flows.adopt(change) { Set(roots.live.values.lazy.flatMap { $0.state.coordinators.values.map(\.flow) }) }
    provider.arrivals.arrived(change.appeared.sorted())
    activity.hasChanged()
    if !change.appeared.isEmpty { retryHolds(of: change.appeared) }
    guard !change.added.isEmpty || !change.removed.isEmpty else { return }
    bus.send(
      .signal(
        Contract.rootPath, interface: Contract.managerInterface, member: "FlowsChanged",
        [.strings(change.added.sorted()), .strings(change.removed.sorted())]))
  }

  /// Closes the flows that run as root before any client learns of them.
  private func closeFlowsOfRoot(_ change: ProviderTable.Change) {
    guard settings.isSystem else { return }
    let served = provider.withTable { $0.served }
    settings.close(change.listed.filter { served[$0]?.name == Contract.scriptsOfRootName }, in: environments.journal)
  }

  /// Retries the events of the coordinators that are held because their flows were not served.
  func retryHolds(of flows: Set<String>) {
    for root in roots.liveInOrder where !root.holds.isEmpty {
      // A coordinator of another flow may be held because its parent could not be asked.
      if root.state.coordinators.values.contains(where: { flows.contains($0.flow) }) { root.tree.retryServed() }
    }
  }

  /// Removes the flows of a connection that has left the bus. Their coordinators remain.
  func hasLeft(_ sender: String) {
    adopt(provider.withTable { $0.unregister(nil, of: sender) })
    provider.work.hasLeft(sender)
  }

  // MARK: Owners

  /// Watches the owners of the names that serve flows, and no others.
  func follow() {
    // A key path would make the runtime search all conformances at every start of a daemon.
    let names = provider.withTable { $0.names }
    for (name, watch) in watches where !names.contains(name) {
      watch.cancel()
      watches[name] = nil
      owners[name] = nil
    }
    for name in names.sorted() where watches[name] == nil {
      // If the owner is already known, the closure is called before the watch is set.
      watches[name] = connection.assumeIsolated { [entry] connection in
        connection.watchOwner(of: name) { owner in entry.enter { $0.providers.isOwned(name, by: owner) } }
      }
    }
  }

  /// Checks the owners of all names again, because other users may be trusted now.
  func judgeOwners() {
    guard settings.isSystem else { return }
    for (name, owner) in owners { judge(name, ownedBy: owner) }
  }

  private func isOwned(_ name: String, by owner: String?) {
    let former = owners[name]
    owners[name] = owner
    guard let owner else { return adopt(provider.withTable { $0.setOwner(of: name, .nobody) }) }
    guard settings.isSystem else { return serve(name, as: .connection(owner), after: former) }
    adopt(provider.withTable { $0.setOwner(of: name, .unknown) })
    judge(name, ownedBy: owner, after: former)
  }

  /// Allows the owner of a name to serve, if its user is trusted.
  private func judge(_ name: String, ownedBy owner: String, after former: String? = nil) {
    Task { [entry, provider] in
      let judged = await provider.judge(owner, of: name)
      await entry.host?.run { $0.providers.hasJudged(name, ownedBy: owner, as: judged, after: former) }
    }
  }

  private func hasJudged(_ name: String, ownedBy owner: String, as judged: ProviderTable.Owner, after former: String?) {
    if owners[name] == owner { serve(name, as: judged, after: former) }
  }

  private func serve(_ name: String, as owner: ProviderTable.Owner, after former: String?) {
    if case .refused(let reason) = owner { logger.error("refused a provider", metadata: ["reason": "\(reason)"]) }
    let change = provider.withTable { $0.setOwner(of: name, owner) }
    // The departure of the former owner ends the work that it performs.
    if let connection = owner.connection { clients.track(connection) }
    adopt(change)
    guard let connection = owner.connection else { return }
    provider.release(name, from: former == connection ? nil : former, to: connection)
  }
}

/// Reads the files that give flows to bus names, and reads them again after each change. Used only on the host's executor.
final class ProviderFileWatch {
  /// The watch on the directories with provider files; nil for none.
  private var watch: DirectoryWatch?
  /// The number of readings that have begun.
  private var begun: UInt64 = 0
  /// The number of the reading that was applied last.
  private var applied: UInt64 = 0
  private let settings: HostSettings
  private let directory: ProviderDirectory
  private let provider: BusProvider
  private let catalogue: FlowCatalogue
  private let connection: Connection
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a watch that has read nothing.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the directories.
  ///   - directory: follows the names in the files.
  init(of host: HostServices, settings: HostSettings, directory: ProviderDirectory) {
    (provider, catalogue, connection) = (host.provider, host.catalogue, host.connection)
    (logger, entry) = (host.logger, host.entry)
    (self.settings, self.directory) = (settings, directory)
  }

  /// A reading of the files that has begun. Run it on any thread.
  struct Reading: Sendable {
    fileprivate let number: UInt64
    fileprivate let places: ProviderPlaces
    fileprivate let catalogue: FlowCatalogue

    /// Reads the files.
    func files() async -> ProviderFiles {
      guard !places.directories.isEmpty else { return .none }
      return await Task(executorPreference: globalConcurrentExecutor) { [places, catalogue] in
        ProviderFiles.read(places, isBuiltIn: catalogue.isBuiltIn)
      }.value
    }
  }

  /// Begins to read the files.
  func begin() -> Reading {
    begun += 1
    return Reading(number: begun, places: settings.configuration.providers, catalogue: catalogue)
  }

  /// Applies the content of the files, unless a reading that began later has been applied.
  ///
  /// - Parameters:
  ///   - files: the content.
  ///   - reading: the reading that has returned it.
  func apply(_ files: ProviderFiles, _ reading: Reading) {
    guard reading.number > applied else { return }
    applied = reading.number
    report(files, since: provider.withTable { $0.files })
    directory.adopt(provider.withTable { $0.set(files) })
    directory.follow()
    directory.judgeOwners()
  }

  /// Watches the directories of the current configuration, and no others.
  func watchDirectories() {
    watch = nil
    let directories = settings.configuration.providers.directories
    guard !directories.isEmpty else { return }
    watch = DirectoryWatch(directories, on: connection.loop) { [entry] in
      Task { await entry.host?.readProviderFiles() }
    }
    if watch == nil {
      logger.warning("cannot watch the provider files: changes apply after a reload")
    }
  }

  /// Logs new problems.
  private func report(_ files: ProviderFiles, since before: ProviderFiles) {
    let known = Set(before.allProblems)
    for problem in files.allProblems where !known.contains(problem) {
      logger.error("invalid provider file", metadata: ["problem": "\(problem)"])
    }
    for (path, losses) in files.losses.sorted(by: { $0.key < $1.key }) {
      for loss in losses where before.losses[path]?.contains(loss) != true {
        logger.warning("a provider file does not get a flow", metadata: ["file": "\(path)", "reason": "\(loss.reason)"])
      }
    }
  }
}
