extension Transition {
  /// Schedules a piece of work to start once the transition is stored.
  mutating func startWork(
    _ work: any Codable & Sendable, key: WorkKey?, of path: CoordinatorPath, secrets: [String: Secret]
  ) throws(Refusal) {
    guard isAlive(path) else { return }
    if let key { cancelWork(key, of: path) }
    let running = after.coordinators.values.reduce(0) { $0 + $1.work.count }
    guard running < limits.maxWork else { throw .limitExceeded("a tree must not run more than \(limits.maxWork) pieces of work") }
    after.lastWork += 1
    let record = WorkRecord(
      id: WorkID(number: after.lastWork), work: work, key: key, screen: window.ids(of: path).last,
      tookSecrets: !secrets.isEmpty)
    after.coordinators[path]?.work.append(record)
    touched.insert(path)
    // Copies, because work wipes its secrets when it is done, but a kept secret may be needed again.
    orders.append(WorkOrder(coordinator: path, record: record, secrets: secrets.mapValues { Secret(copying: $0) }))
  }

  /// Returns the work that a coordinator has started and whose result it has not yet received.
  func runningWork<Work>(of path: CoordinatorPath?) -> [Work] {
    path.flatMap { after.coordinators[$0] }?.work.compactMap { $0.work as? Work } ?? []
  }

  /// Returns the work of a coordinator that was started with a key.
  func runningWork(_ key: WorkKey, of path: CoordinatorPath) -> WorkRecord? {
    after.coordinators[path]?.work.first { $0.key == key }
  }

  /// Records that a piece of work that another process performs has ended, or is about to be begun again. Ignored if it is
  /// unknown, or has ended.
  mutating func keep(_ note: ProvidedWork.Note, of work: String, for instance: FlowInstance) {
    guard let record = after.coordinators[instance.path], record.startedAt == instance.startedAt,
      let index = record.work.firstIndex(where: { $0.key == WorkKey(work) }), record.work[index].result == nil
    else { return }
    switch note {
    case .ended(let result): after.coordinators[instance.path]?.work[index].result = result
    case .begins(let attempt): after.coordinators[instance.path]?.work[index].attempts = attempt
    }
    touched.insert(instance.path)
  }

  /// Records what was stored about work while this transition waited for a provider.
  mutating func keepResults(of other: TreeState) {
    for path in Array(after.coordinators.keys) {
      guard let record = after.coordinators[path], !record.work.isEmpty, let known = other.coordinators[path] else { continue }
      for work in known.work {
        guard let index = record.work.firstIndex(where: { $0.id == work.id }) else { continue }
        if let result = work.result { after.coordinators[path]?.work[index].result = result }
        if work.attempts > 1 { after.coordinators[path]?.work[index].attempts = work.attempts }
      }
    }
  }

  /// Removes the work of a coordinator that was started with a key, if there is any.
  mutating func cancelWork(_ key: WorkKey, of path: CoordinatorPath) {
    guard let index = after.coordinators[path]?.work.firstIndex(where: { $0.key == key }),
      let record = after.coordinators[path]?.work.remove(at: index)
    else { return }
    cancelledWork.append(record.id)
    orders.removeAll { $0.record.id == record.id }
    touched.insert(path)
  }

  /// Removes all work of a coordinator, started or not.
  mutating func cancelWork(of path: CoordinatorPath) {
    guard let work = after.coordinators[path]?.work, !work.isEmpty else { return }
    cancelledWork += work.map(\.id)
    orders.removeAll { $0.coordinator == path }
    after.coordinators[path]?.work = []
    touched.insert(path)
  }

  /// Removes a piece of work from its coordinator, because its result is about to be handled.
  ///
  /// - Returns: the work, or nil if it was cancelled in the meantime.
  mutating func takeWork(_ id: WorkID, of path: CoordinatorPath) -> WorkRecord? {
    guard let index = after.coordinators[path]?.work.firstIndex(where: { $0.id == id }) else { return nil }
    touched.insert(path)
    return after.coordinators[path]?.work.remove(at: index)
  }
}
