/// Lets newer versions of providers take over what older ones have stored (P15).
extension FlowTree {
  /// Whether flows have been served anew since the tree was compared with them.
  var hasUnknownFlows: Bool { environment.catalogue.provided.map { $0.generation != knownFlows } ?? false }

  /// Handles an event after what it needs has been migrated.
  func migrateAndTransact(_ posted: Posted) async {
    var patience = ProviderPatience(environment.limits.maxProviderTime)
    await migrate(for: posted, &patience)
    if !isKeptBack(posted) { await transact(posted, &patience) }
  }

  /// Migrates the coordinators whose flows are served in a newer version than the one that has decided last, each in a
  /// transition of its own. A coordinator is held whose flow is served in an older version.
  ///
  /// - Parameters:
  ///   - posted: the event before which that is done.
  ///   - patience: how long the event may wait.
  func migrate(for posted: Posted, _ patience: inout ProviderPatience) async {
    guard let flows = environment.catalogue.provided, case let generation = flows.generation, generation != knownFlows else {
      return
    }
    for outdated in state.coordinatorsInOrder {
      guard state.isAlive, !isAbandoned, let server = flows.server(of: outdated.flow),
        let own = version(of: outdated.path, for: server)
      else { continue }
      let migration = Posted(.migration(outdated.path, from: own), whenWaiting: posted.whenWaiting)
      if server.version > own {
        await transact(migration, &patience)
      } else {
        let reason =
          "the flow \(outdated.flow) waits for version \(own) or newer, and is served in version \(server.version)"
        let instance = FlowInstance(flow: outdated.flow, path: outdated.path, startedAt: outdated.startedAt)
        await hold(outdated.path, because: .refusal(reason, AskingHistory(of: instance, by: server)), migration)
      }
    }
    let isDone = state.coordinatorsInOrder.allSatisfy { record in
      flows.server(of: record.flow).map { version(of: record.path, for: $0) == nil } ?? true
    }
    // Otherwise, a migration could not be stored.
    if isDone { knownFlows = generation }
  }

  /// Returns the version of a provider that has stored a coordinator, if it is another one than the present provider's.
  private func version(of path: CoordinatorPath, for server: ServingProgram) -> UInt32? {
    guard let record = state.coordinators[path], record.hold == nil, let own = record.state as? ProvidedCoordinator.State,
      own.turn > 0, server.name == own.server, server.version != own.version
    else { return nil }
    return own.version
  }
}
