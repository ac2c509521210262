import CoordinatorBus
import CoordinatorKit
import DBus

/// Handles the calls by which providers report on their work. Used only on the host's executor.
final class WorkCalls {
  private let roots: RootRegistry
  private let provider: BusProvider
  private let log: FlowLog

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: finds the trees whose work is performed.
  init(of host: HostServices, roots: RootRegistry) {
    (provider, log) = (host.provider, host.log)
    self.roots = roots
  }

  /// The most bytes of a result.
  private static var maxResult: Int { 256 * 1024 }

  /// Handles `EndWork`. The reply means that the result is stored.
  func endWork(_ call: IncomingCall) {
    do throws(DBusError) {
      guard let ticket = ticket(call) else {
        throw .invalidArgs("EndWork needs an instance, a piece of work and a result")
      }
      let end = try end(call.arguments[2])
      // A result that arrives twice, or after the end of its coordinator, has no effect.
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

  /// Returns whether a connection serves a coordinator as the program that has decided for it so far.
  private func isServing(_ sender: String, _ record: CoordinatorRecord?) -> Bool {
    guard let record, let served = provider.withTable({ $0.provider(of: record.flow) }) else { return false }
    return served.owner == sender && served.name == record.server
  }

  private func end(_ result: Value) throws(DBusError) -> ProvidedWork.End {
    var values = try NamedArguments(result, of: "the result of work")
    let (value, type, message) = (try values.string("value"), try values.string("type"), try values.string("message"))
    try values.finish()
    guard [value, type, message].reduce(0, { $0 + ($1?.utf8.count ?? 0) }) <= Self.maxResult else {
      throw .limitsExceeded("the result of work must not have more than \(Self.maxResult) bytes")
    }
    if let value {
      guard type == nil, message == nil else {
        throw .invalidArgs("the result of work has a value, and so neither the type nor the message of an error")
      }
      return .done(value)
    }
    guard let type else { throw .invalidArgs("the result of work needs a value, or the type of an error") }
    return .failed(ProvidedWork.Trouble(type: type, message: message ?? ""))
  }

  /// Handles `ReportWork`.
  func reportWork(_ call: IncomingCall) {
    do throws(DBusError) {
      guard let ticket = ticket(call) else {
        throw .invalidArgs("ReportWork needs an instance, a piece of work and progress")
      }
      var values = try NamedArguments(call.arguments[2], of: "the progress of work")
      let fraction = try values.take("fraction", "a number", \.double)
      let text = try values.string("text")
      let shown = try values.take("live", "a dictionary") { $0 }
      try values.finish()
      let live: [String: [String: Value]]?
      do throws(AnswerDecoder.Fault) {
        live = try shown.map { shown throws(AnswerDecoder.Fault) in
          try AnswerDecoder.live(shown) { log.logUnknown($0, by: call.sender, of: instance(ticket.instance)?.1.flow ?? "") }
        }
      } catch {
        throw .invalidArgs("what work shows must be parts of screens by key, of at most 1 MiB: \(error)")
      }
      guard let context = provider.work.context(of: ticket, by: call.sender) else { return call.reply() }
      if let live { context.show(live: live) }
      guard text != nil || fraction != nil || live == nil else { return call.reply() }
      context.report(Progress(fraction: fraction, text: text.map { Text(verbatim: $0) }))
      call.reply()
    } catch {
      call.fail(error)
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
