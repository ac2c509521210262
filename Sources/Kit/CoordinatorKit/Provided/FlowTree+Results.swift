extension FlowTree {
  /// Stores how a piece of work has ended that another process performs. The coordinator learns of it in an event of its
  /// own. Ignored if the work is unknown, or has ended already.
  ///
  /// - Parameters:
  ///   - work: the id of the work.
  ///   - instance: the coordinator that has ordered it.
  ///   - end: how it has ended.
  ///   - reply: called once from any thread, when the result is stored. It does not wait for a provider that decides.
  package nonisolated func end(
    work: String, of instance: FlowInstance, _ end: ProvidedWork.End, reply: @escaping Reply = { _ in }
  ) {
    post(Posted(.workResult(instance, work: work, .ended(end)), reply))
  }

  /// What the program has stored that decides for a coordinator; nil if its flow is built in, or it does not exist.
  package func providedState(of path: CoordinatorPath) -> String? { state.coordinators[path]?.providedState }

  /// Returns the attempts to perform a piece of work; nil if no other process performs it.
  func attempts(of order: WorkOrder) -> WorkAttempts? {
    guard let work = order.record.work as? ProvidedWork, let record = state.coordinators[order.coordinator] else { return nil }
    let instance = FlowInstance(flow: record.flow, path: record.path, startedAt: record.startedAt)
    return WorkAttempts(begun: order.isRepeated ? order.record.attempts : 0) { [weak self] attempt in
      // A stream, because a tree that is given up answers nobody: then, the task of the work is cancelled.
      let (answers, continuation) = AsyncStream.makeStream(of: Bool.self)
      let reply: Reply = { result in
        continuation.yield((try? result.get()) != nil)
        continuation.finish()
      }
      self?.post(Posted(.workResult(instance, work: work.id, .begins(attempt: attempt)), reply))
      for await isStored in answers { return isStored }
      return false
    }
  }
}
