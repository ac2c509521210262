extension FlowTree {
  /// The running work of coordinators that show live values, except for work that waits for somebody to look. A test kit
  /// waits until the rest sleeps or is done, because what a screen shows depends on it.
  package var reportingWork: [WorkID] {
    let waiting = liveShow?.watching.waitingCoordinators ?? []
    return state.coordinators.values.flatMap { record -> [WorkID] in
      guard !record.work.isEmpty, environment.catalogue.showsLiveValues(record.flow), !waiting.contains(record.path) else {
        return []
      }
      return record.work.map(\.id)
    }
  }
}

extension FlowCatalogue {
  /// Returns whether the work of a flow shows live values.
  package func showsLiveValues(_ flow: String) -> Bool { self[flow]?.showsLiveValues ?? false }

  /// Whether the work of any flow shows live values.
  package var showLiveValues: Bool { descriptions.contains { showsLiveValues($0.name) } }
}
