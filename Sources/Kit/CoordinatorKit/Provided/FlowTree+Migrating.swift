/// Lets newer versions of providers take over what older ones have stored (P15).
extension FlowTree {
  /// Migrates the coordinators whose flows are served in a newer version than the one that has decided last, each in a
  /// transition of its own. A coordinator is held whose flow is served in an older version.
  func migrate() async {
    guard let flows = environment.catalogue.provided, case let generation = flows.generation, generation != knownFlows else {
      return
    }
    knownFlows = generation
    for record in state.coordinatorsInOrder {
      guard let own = record.state as? ProvidedCoordinator.State, own.turn > 0, record.hold == nil, state.isAlive, !isAbandoned,
        let server = flows.server(of: record.flow), server.name == own.server, server.version != own.version
      else { continue }
      let migration = Posted(.migration(record.path, from: own.version))
      if server.version > own.version {
        await transact(migration)
      } else {
        let reason =
          "the flow \(record.flow) waits for version \(own.version) or newer, and is served in version \(server.version)"
        await hold(record.path, because: .refusal(reason), migration)
      }
    }
  }
}
