import CoordinatorKit

/// The flows that clients can start: those that are built in, and those that providers serve. Used only on the host's
/// executor.
final class OfferedFlows {
  /// The result of `ListFlows` for a caller from which no flow is hidden.
  private(set) lazy var list = listed
  private let catalogue: FlowCatalogue
  private let provider: BusProvider
  private let providedFlows: ProvidedFlows

  /// Creates the flows that are built in. The flows of providers are added by ``adopt(_:used:)``.
  init(of host: HostServices) { (catalogue, provider, providedFlows) = (host.catalogue, host.provider, host.providedFlows) }

  /// Adopts a change of what providers serve.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - used: returns the flows that have live coordinators. Called only if flows were removed.
  func adopt(_ change: ProviderTable.Change, used: () -> Set<String>) {
    for flow in change.described {
      providedFlows.add(flow.description, schemas: flow.schemas, wantsLooking: flow.wantsLooking)
    }
    let used = change.removed.isEmpty ? [] : used()
    for name in change.removed { providedFlows.remove(name, isUsed: used.contains(name)) }
    update(change.listed)
  }

  /// The entries in the result of `ListFlows`. Internal flows are never listed.
  private var listed: FlowList {
    let served = provider.withTable { $0.served }
    return FlowList(
      catalogue.descriptions.filter { !$0.isInternal }.map { flow in
        entry(of: flow, catalogue.schemas(of: flow.name), catalogue.isBuiltIn(flow.name) ? nil : served[flow.name])
      })
  }

  /// Updates the entries of some flows.
  private func update(_ flows: Set<String>) {
    let served = provider.withTable { $0.served }
    list.update(flows.filter { !catalogue.isBuiltIn($0) }) { name in
      guard let served = served[name], !served.flow.description.isInternal else { return nil }
      return entry(of: served.flow.description, served.flow.schemas, served)
    }
  }

  private func entry(of flow: FlowDescription, _ schemas: FlowSchemas?, _ served: ServedFlow?) -> FlowList.Entry {
    var values = flow.vardict(schemas, catalogue.translations.languages)
    if let served { values["provider"] = .string(served.key) }
    return FlowList.Entry(flow.name, values)
  }
}
