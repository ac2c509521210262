import CoordinatorKit

/// Requests the work of the walk from a provider.
extension Examiner {
  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by server: String, in context: SharedWorkContext
  ) async throws -> String {
    let secrets = context.secrets.mapValues { $0.withString { marks.mark(for: $0) } }
    let performed = PerformedWork(flow: instance.flow, id: work.id, argument: work.argument, secrets: secrets)
    remember(performed)
    let ticket = Ticket(instance: instance.name, work: work.id)
    return try await withTaskCancellationHandler {
      let start = ContinuousClock.now
      let reply = await stage.perform(performed, for: ticket)
      if ContinuousClock.now - start > .seconds(2) {
        log.found(.acceptsWorkAtOnce, "Perform of '\(work.id)' was not answered within 2 seconds", of: instance.flow)
      }
      switch reply {
      case .answer: break
      case .error(let error): throw ProvidedWork.Trouble(type: error.name, message: error.message)
      case .gone, .silent, .dropped: throw ProvidedWork.Trouble(type: "NotAccepted", message: "Perform was not answered")
      }
      let stage = stage
      let end = await Stage.within(patience) { try await stage.book.until { $0.ends[ticket] != nil }.ends[ticket]?.last }
      try Task.checkCancellation()
      guard let result = end??.result else {
        log.found(
          .endsWork, "the work '\(work.id)' was not ended within \(patience); --patience waits longer", of: instance.flow)
        throw ProvidedWork.Trouble(type: "NoReply", message: "the work does not end")
      }
      if let value = result["value"]?.string { return value }
      throw ProvidedWork.Trouble(type: result["type"]?.string ?? "", message: result["message"]?.string ?? "")
    } onCancel: {
      stage.cancel(ticket)
    }
  }
}
