import CoordinatorBus
import CoordinatorKit
import DBus
import Platform

/// Stores the work that providers perform. Results arrive by separate calls of `EndWork`. May be used from any thread.
final class WorkDesk: Sendable {
  /// Identifies a piece of work.
  struct Ticket: Sendable, Hashable {
    let instance: String
    let work: String
  }

  /// One order of a piece of work; a later order with the same name replaces it.
  struct Claim: Sendable {
    let ticket: Ticket
    fileprivate let serial: UInt64
  }

  /// Why the daemon no longer waits for a piece of work.
  enum End: Sendable, Hashable {
    /// Its result is stored.
    case stored
    /// The connection that performed the work has left the bus; `wasOnly` states whether it performed no other work.
    case left(wasOnly: Bool)
    /// The work was taken away from the connection that performed it.
    case moved
    case cancelled

    /// Whether another connection must perform the work.
    var leadsOn: Bool {
      switch self {
      case .left, .moved: true
      case .stored, .cancelled: false
      }
    }
  }

  private struct Order: Sendable {
    let serial: UInt64
    let context: SharedWorkContext
    /// The connection that performs the work; nil if there is none.
    var owner: String?
    /// The well-known name under which that connection was served; "" for none.
    var name = ""
    var end: End?
    var waiting: TimedWaits.Ticket?
  }

  private struct State: Sendable {
    var lastSerial: UInt64 = 0
    var orders: [Ticket: Order] = [:]
  }

  private let state = Lock(State())
  private let waits: TimedWaits

  init(waits: TimedWaits) { self.waits = waits }

  /// Adds a piece of work that no connection performs yet.
  func add(_ work: String, of instance: FlowInstance, _ context: SharedWorkContext) -> Claim {
    let ticket = Ticket(instance: instance.name, work: work)
    let (claim, replaced) = state.withLock { state in
      state.lastSerial += 1
      let order = Order(serial: state.lastSerial, context: context)
      let replaced = state.orders.updateValue(order, forKey: ticket)
      return (Claim(ticket: ticket, serial: order.serial), replaced)
    }
    if let waiting = replaced?.waiting { waits.resume(waiting) }
    return claim
  }

  /// Removes a piece of work, unless another order has replaced it.
  func remove(_ claim: Claim) {
    state.withLock { state in
      if state.orders[claim.ticket]?.serial == claim.serial { state.orders[claim.ticket] = nil }
    }
  }

  /// Records which connection performs a piece of work, and under which name.
  func assign(_ claim: Claim, to owner: String, as name: String) {
    state.withLock { state in
      guard state.orders[claim.ticket]?.serial == claim.serial else { return }
      state.orders[claim.ticket]?.owner = owner
      state.orders[claim.ticket]?.name = name
      if state.orders[claim.ticket]?.end?.leadsOn == true { state.orders[claim.ticket]?.end = nil }
    }
  }

  /// Waits for the end of a piece of work.
  ///
  /// - Parameters:
  ///   - claim: the work.
  ///   - time: the time until which to wait; nil for no limit.
  /// - Returns: its end; nil if the time has passed.
  func end(of claim: Claim, until time: ContinuousClock.Instant? = nil) async -> End? {
    let waiting = waits.reserve()
    let isOver = state.withLock { state in
      guard let order = state.orders[claim.ticket], order.serial == claim.serial, order.end == nil else { return true }
      state.orders[claim.ticket]?.waiting = waiting
      return false
    }
    if isOver { waits.resume(waiting) }
    let isResumed = await waits.wait(for: waiting, until: time)
    return state.withLock { state in
      guard let order = state.orders[claim.ticket], order.serial == claim.serial else { return .cancelled }
      return order.end ?? (isResumed || Task.isCancelled ? .cancelled : nil)
    }
  }

  /// Records that the result of a piece of work is stored. Further results, and results of unknown work, are ignored.
  func isStored(_ ticket: Ticket) { end([ticket], .stored) }

  /// Returns whether the result of a piece of work is already stored.
  func isStored(_ claim: Claim) -> Bool {
    state.withLock { state in
      state.orders[claim.ticket].map { $0.serial == claim.serial && $0.end == .stored } ?? false
    }
  }

  /// Records that a connection has left the bus.
  func hasLeft(_ owner: String) {
    let tickets = state.withLock { $0.orders.filter { $0.value.owner == owner && $0.value.end == nil }.map(\.key) }
    end(tickets, .left(wasOnly: tickets.count == 1))
  }

  /// Returns the work that connections perform under a name that a different connection owns now, by connection.
  func work(under name: String, exceptOf owner: String) -> [String: [Ticket]] {
    state.withLock { state in
      var found: [String: [Ticket]] = [:]
      for (ticket, order) in state.orders where order.name == name && order.end == nil {
        if let performer = order.owner, performer != owner { found[performer, default: []].append(ticket) }
      }
      return found
    }
  }

  /// Takes work away from a connection that performs it.
  func take(_ tickets: [Ticket], from owner: String) {
    end(state.withLock { state in tickets.filter { state.orders[$0]?.owner == owner } }, .moved)
  }

  /// Returns the connection that performs a piece of work; nil if there is none.
  func owner(of ticket: Ticket) -> String? { state.withLock { $0.orders[ticket]?.owner } }

  /// Returns the context of a piece of work that a connection performs; nil if it does not perform such work.
  func context(of ticket: Ticket, by owner: String) -> SharedWorkContext? {
    state.withLock { $0.orders[ticket].flatMap { $0.owner == owner ? $0.context : nil } }
  }

  /// Returns the number of pieces of work that a connection performs.
  func count(of owner: String) -> Int { state.withLock { $0.orders.values.count { $0.owner == owner } } }

  private func end(_ tickets: [Ticket], _ end: End) {
    let waiting = state.withLock { state in
      tickets.compactMap { ticket -> TimedWaits.Ticket? in
        guard state.orders[ticket] != nil, state.orders[ticket]?.end == nil else { return nil }
        state.orders[ticket]?.end = end
        return state.orders[ticket]?.waiting.take()
      }
    }
    for ticket in waiting { waits.resume(ticket) }
  }
}

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

  /// The maximum number of bytes of a result.
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
