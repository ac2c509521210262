import Platform

/// The flows that other processes serve. Changes while the daemon runs; may be used from any thread.
package final class ProvidedFlows: Sendable {
  private struct State: Sendable {
    var flows: [String: FlowDefinition] = [:]
    /// Flows of stored coordinators that nobody serves at the moment.
    var absent: [String: FlowDefinition] = [:]
    /// The flows of which nothing is known but that they are provided.
    var standIns: Set<String> = []
    var generation: UInt64 = 0
  }

  private let state = Lock(State())
  private let provider: any FlowProvider

  /// Creates an empty list.
  ///
  /// - Parameter provider: decides for the coordinators of all these flows.
  package init(provider: any FlowProvider) { self.provider = provider }

  /// Adds a flow, or replaces its description.
  ///
  /// - Parameters:
  ///   - description: the flow. Its version is that of the stored form, and always 1.
  ///   - schemas: what it returns and emits.
  ///   - checksInput: false if the schema of its input is not known.
  ///   - wantsLooking: whether its coordinators are told who looks at their screens.
  package func add(
    _ description: FlowDescription, schemas: FlowSchemas, checksInput: Bool = true, wantsLooking: Bool = false
  ) {
    let definition = FlowDefinition(
      provided: description, schemas: schemas, by: provider, wantsLooking: wantsLooking, checksInput: checksInput)
    state.withLock { state in
      state.flows[description.name] = definition
      state.absent[description.name] = nil
      state.standIns.remove(description.name)
      state.generation += 1
    }
  }

  /// Removes a flow. Its coordinators remain, and wait until the flow is served again.
  ///
  /// - Parameters:
  ///   - name: the name of the flow.
  ///   - isUsed: whether it has live coordinators.
  package func remove(_ name: String, isUsed: Bool) {
    state.withLock { state in
      if let definition = state.flows.removeValue(forKey: name), isUsed { state.absent[name] = definition }
    }
  }

  /// Whether there are, or were, any.
  package var isUsed: Bool { state.withLock { $0.generation > 0 || !$0.absent.isEmpty } }

  /// The flows that can be started.
  var definitions: [FlowDefinition] { state.withLock { Array($0.flows.values) } }

  /// Returns a flow, also one that only stored coordinators have.
  subscript(name: String) -> FlowDefinition? { state.withLock { $0.flows[name] ?? $0.absent[name] } }

  /// How often a flow has been added; then, its version may be another.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// Returns which program serves a flow; nil if nothing does.
  func server(of flow: String) -> ServingProgram? { provider.server(of: flow) }

  /// Returns whether a flow was not served since the start, so that it cannot be started: its router is not known.
  func isStandIn(_ name: String) -> Bool { state.withLock { $0.standIns.contains(name) } }

  /// Returns a stand-in for the flow of a stored coordinator that nobody serves.
  func standIn(for stored: StoredCoordinator) -> FlowDefinition? {
    if let known = self[stored.flow] { return known }
    guard let marked = try? StoredText.decode(ProvidedCoordinator.State.self, from: stored.state), marked.isProvided else {
      return nil
    }
    let description = FlowDescription(
      stored.flow, title: Text(verbatim: stored.flow), canBeLeft: marked.canBeLeft)
    let definition = FlowDefinition(
      provided: description, schemas: FlowSchemas(result: nil, output: nil), by: provider, checksInput: false)
    return state.withLock { state in
      if state.flows[stored.flow] == nil && state.absent[stored.flow] == nil { state.standIns.insert(stored.flow) }
      state.absent[stored.flow] = state.absent[stored.flow] ?? definition
      return state.flows[stored.flow] ?? state.absent[stored.flow]
    }
  }
}
