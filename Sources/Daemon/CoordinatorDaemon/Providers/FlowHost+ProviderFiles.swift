import CoordinatorKit
import DBus
import Platform
import ProviderFiles

/// Reads the files that say who serves which flow, and follows the owners of the names in them.
extension FlowHost {
  /// Reads the provider files and applies what they say. Of several readings at once, the one that began last counts.
  func readProviderFiles() async {
    providerReads.begun += 1
    let own = providerReads.begun
    let files = await Self.read(configuration.providers, catalogue)
    guard own > providerReads.applied else { return }
    providerReads.applied = own
    apply(files)
  }

  private nonisolated static func read(_ places: ProviderPlaces, _ catalogue: FlowCatalogue) async -> ProviderFiles {
    guard !places.directories.isEmpty else { return .none }
    return await Task(executorPreference: globalConcurrentExecutor) {
      ProviderFiles.read(places, isBuiltIn: catalogue.isBuiltIn)
    }.value
  }

  private func apply(_ files: ProviderFiles) {
    let before = provider.withTable { $0.files }
    report(files, since: before)
    tell(provider.withTable { $0.set(files) })
    watchProviderNames()
    // Other users may be trusted now.
    if configuration.bus == .system { for (name, owner) in nameOwners { judge(name, ownedBy: owner) } }
  }

  /// Reads the files again whenever something changes in their directories.
  func watchProviderFiles() {
    providerWatch = nil
    guard !configuration.providers.directories.isEmpty else { return }
    providerWatch = DirectoryWatch(configuration.providers.directories, on: connection.loop) { [weak self] in
      guard let self else { return }
      Task { await self.readProviderFiles() }
    }
    if providerWatch == nil {
      logger.warning("cannot watch the provider files: changes apply after a reload")
    }
  }

  /// Logs problems that were not there before.
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

  // MARK: Owners

  /// Watches the owners of the names that serve flows, and no others.
  func watchProviderNames() {
    // A key path would make the runtime search all conformances at every start of a daemon.
    let names = provider.withTable { $0.names }
    for (name, watch) in nameWatches where !names.contains(name) {
      watch.cancel()
      nameWatches[name] = nil
      nameOwners[name] = nil
    }
    for name in names.sorted() where nameWatches[name] == nil {
      // Set first: if the bus has told the owner already, the closure is called at once.
      nameWatches[name] = connection.assumeIsolated { connection in
        connection.watchOwner(of: name) { [weak self] owner in self?.assumeIsolated { $0.nameIsOwned(name, by: owner) } }
      }
    }
  }

  private func nameIsOwned(_ name: String, by owner: String?) {
    let former = nameOwners[name]
    nameOwners[name] = owner
    guard let owner else { return tell(provider.withTable { $0.setOwner(of: name, .nobody) }) }
    guard configuration.bus == .system else { return serve(name, as: .connection(owner), after: former) }
    tell(provider.withTable { $0.setOwner(of: name, .unknown) })
    judge(name, ownedBy: owner, after: former)
  }

  /// Lets the owner of a name serve, if its user may.
  private func judge(_ name: String, ownedBy owner: String, after former: String? = nil) {
    Task {
      let judged = await self.provider.judge(owner, of: name)
      if self.nameOwners[name] == owner { self.serve(name, as: judged, after: former) }
    }
  }

  private func serve(_ name: String, as owner: ProviderTable.Owner, after former: String?) {
    if case .refused(let reason) = owner { logger.error("refused a provider", metadata: ["reason": "\(reason)"]) }
    let change = provider.withTable { $0.setOwner(of: name, owner) }
    // Work that it performs ends with it.
    if let connection = owner.connection { track(connection) }
    tell(change)
    guard let connection = owner.connection else { return }
    provider.release(name, from: former == connection ? nil : former, to: connection)
  }
}

/// Tells readings of the provider files apart.
struct ProviderReads: Sendable {
  var begun: UInt64 = 0
  var applied: UInt64 = 0
}
