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
    post(Posted(.workResult(instance, work: work, end), reply))
  }
}
