extension Transition {
  /// Schedules a piece of work to start once the transition is stored.
  mutating func startWork(
    _ work: any Codable & Sendable, of path: CoordinatorPath, secrets: [String: Secret]
  ) throws(Refusal) {
    guard isAlive(path) else { return }
    let running = after.coordinators.values.reduce(0) { $0 + $1.work.count }
    guard running < limits.maxWork else { throw .limitExceeded("a tree must not run more than \(limits.maxWork) pieces of work") }
    after.lastWork += 1
    let record = WorkRecord(
      id: WorkID(number: after.lastWork), work: work, screen: window.ids(of: path).last, tookSecrets: !secrets.isEmpty)
    after.coordinators[path]?.work.append(record)
    touched.insert(path)
    orders.append(WorkOrder(coordinator: path, record: record, secrets: secrets))
  }

  /// Returns the work that a coordinator has started and whose result it has not yet received.
  func runningWork<Work>(of path: CoordinatorPath?) -> [Work] {
    path.flatMap { after.coordinators[$0] }?.work.compactMap { $0.work as? Work } ?? []
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
