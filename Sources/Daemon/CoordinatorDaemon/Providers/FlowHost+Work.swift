import CoordinatorBus
import CoordinatorKit
import DBus

/// Learns from providers what becomes of their work.
extension FlowHost {
  /// The most bytes of a result.
  private static var maxResult: Int { 256 * 1024 }

  /// Handles `EndWork`. The reply means that the result is stored.
  func endWork(_ call: IncomingCall) {
    do throws(DBusError) {
      guard let ticket = ticket(call), let result = call.arguments.last?.vardict else {
        throw .invalidArgs("EndWork needs an instance, a piece of work and a result")
      }
      let end = try end(result)
      // A result that comes twice, or too late, is of no use to anybody.
      guard let (root, instance) = instance(ticket.instance) else { return call.reply() }
      let isPerforming = provider.work.owner(of: ticket) == call.sender
      guard isPerforming || isServing(call.sender, root.state.coordinators[instance.path]) else {
        throw .accessDenied("another connection performs this work")
      }
      let work = provider.work
      root.tree.end(work: ticket.work, of: instance, end) { result in
        switch result {
        case .failure(let error) where error != .unknownCoordinator(instance.path): call.fail(error.dbusError)
        case .success, .failure:
          work.isStored(ticket)
          call.reply()
        }
      }
    } catch {
      call.fail(error)
    }
  }

  /// Whether a connection serves a coordinator as the program that has decided for it so far.
  private func isServing(_ sender: String, _ record: CoordinatorRecord?) -> Bool {
    guard let record, let registration = provider.withTable({ $0.provider(of: record.flow)?.0 }) else { return false }
    return registration.owner == sender && registration.name == record.server
  }

  private func end(_ result: [String: Value]) throws(DBusError) -> ProvidedWork.End {
    let texts = [result["value"], result["type"], result["message"]].compactMap { $0?.string }
    guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.maxResult else {
      throw .limitsExceeded("the result of work must not have more than \(Self.maxResult) bytes")
    }
    if let value = result["value"]?.string { return .done(value) }
    guard let type = result["type"]?.string else {
      throw .invalidArgs("the result of work needs a value, or the type of an error")
    }
    return .failed(ProvidedWork.Trouble(type: type, message: result["message"]?.string ?? ""))
  }

  /// Handles `ReportWork`.
  func reportWork(_ call: IncomingCall) {
    guard let ticket = ticket(call), let values = call.arguments.last?.vardict else {
      return call.fail(.invalidArgs("ReportWork needs an instance, a piece of work and progress"))
    }
    if let context = provider.work.context(of: ticket, by: call.sender) {
      let text = values["text"]?.string.map { Text(verbatim: $0) }
      context.report(Progress(fraction: values["fraction"]?.double.map { min(max($0, 0), 1) }, text: text))
    }
    call.reply()
  }

  /// Tells providers which of their coordinators have ended.
  func tellProviders(of ended: [EndedCoordinator], before: TreeState?) {
    for coordinator in ended {
      guard let registration = provider.withTable({ $0.provider(of: coordinator.flow)?.0 }),
        let record = before?.coordinators[coordinator.path]
      else { continue }
      let instance = FlowInstance(flow: coordinator.flow, path: coordinator.path, startedAt: record.startedAt)
      provider.tell(registration, "Ended", [.string(instance.name), .string(coordinator.outcome.name)])
    }
  }

  private func instance(_ name: String) -> (LiveRoot, FlowInstance)? {
    var found: LiveRoot?
    let instance = FlowInstance(name: name) { path in
      found = roots.live[String(path.root)]
      return found?.state.coordinators[path]?.flow
    }
    guard let found, let instance, found.state.coordinators[instance.path]?.startedAt == instance.startedAt else { return nil }
    return (found, instance)
  }

  private func ticket(_ call: IncomingCall) -> WorkDesk.Ticket? {
    guard call.arguments.count == 3, let instance = call.arguments[0].string, let work = call.arguments[1].string else {
      return nil
    }
    return WorkDesk.Ticket(instance: instance, work: work)
  }
}
