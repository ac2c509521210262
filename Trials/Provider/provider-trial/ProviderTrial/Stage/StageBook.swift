import CoordinatorBus
import CoordinatorKit
import DBus

/// The record of a provider's calls of the daemon that a trial plays. A value that decides.
struct StageBook: Sendable {
  /// A call of `RegisterFlows`.
  struct Registration: Sendable {
    let sender: String
    let path: ObjectPath
    let flows: [[String: Value]]
    let name: String
  }

  /// A call of `EndWork`.
  struct End: Sendable {
    let result: [String: Value]
    let call: IncomingCall
    /// Whether the call waits for its answer.
    var isOpen: Bool
  }

  /// The answer to `EndWork` for a piece of work.
  enum Policy: Sendable, Hashable {
    case take
    /// Refuse the first result, like a daemon with a full disk.
    case refuseFirst
    /// Hold the answer back until it is requested.
    case hold
  }

  /// The newest registration; nil if no provider serves.
  var registration: Registration?
  /// The number of registrations so far.
  var registrations = 0
  var ends: [Ticket: [End]] = [:]
  var policies: [Ticket: Policy] = [:]
  /// The work that was requested from the provider.
  var performed: Set<Ticket> = []
  /// The work that it may be doing.
  var running: Set<Ticket> = []
  /// The time of the last progress report of each piece of work.
  var reports: [Ticket: ContinuousClock.Instant] = [:]
  /// The number of questions in progress.
  var deciding = 0
  /// The calls that the provider should not have made, in words.
  var intrusions: [String] = []
  /// The results of work that was never requested, or that cannot be read.
  var strayResults: [String] = []
  var unreadableResults: [String] = []
  /// The strings that it has sent to the daemon.
  var told: [String] = []

  /// Handles a call of the daemon's objects, and returns the answer; nil if there is none yet.
  mutating func receive(_ call: IncomingCall) -> Result<[Value], DBusError>? {
    let arguments = call.arguments
    switch (call.interface, call.member) {
    case (Contract.managerInterface?, "RegisterFlows"):
      guard arguments.count == 3, let path = arguments[0].objectPath, let flows = arguments[1].elements,
        let options = arguments[2].vardict
      else { return .failure(.invalidArgs("RegisterFlows needs a path, flows and options")) }
      registrations += 1
      registration = Registration(
        sender: call.sender, path: path, flows: flows.compactMap(\.vardict), name: options["name"]?.string ?? "")
      return .success([.uint32(0)])
    case (Contract.managerInterface?, "UnregisterFlows"):
      registration = nil
      return .success([])
    case (Contract.managerInterface?, "EndWork"):
      guard arguments.count == 3, let instance = arguments[0].string, let work = arguments[1].string,
        let result = arguments[2].vardict
      else { return .failure(.invalidArgs("EndWork needs an instance, a piece of work and a result")) }
      return end(Ticket(instance: instance, work: work), result, call)
    case (Contract.managerInterface?, "ReportWork"):
      guard arguments.count == 3, let instance = arguments[0].string, let work = arguments[1].string else {
        return .failure(.invalidArgs("ReportWork needs an instance, a piece of work and progress"))
      }
      reports[Ticket(instance: instance, work: work)] = .now
      told += arguments[2].strings
      return .success([])
    default:
      if deciding > 0, running.isEmpty, !Self.isRead(call) { intrusions.append(call.member) }
      return .failure(.unknownObject("the trial serves no flows of its own"))
    }
  }

  private mutating func end(_ ticket: Ticket, _ result: [String: Value], _ call: IncomingCall) -> Result<[Value], DBusError>? {
    told += result.values.flatMap(\.strings)
    guard performed.contains(ticket) else {
      strayResults.append(ticket.work)
      return .success([])
    }
    if let problem = Self.problem(of: result) { unreadableResults.append(problem) }
    let policy = policies[ticket] ?? .take
    let isFirst = ends[ticket] == nil
    ends[ticket, default: []].append(End(result: result, call: call, isOpen: policy == .hold))
    switch policy {
    case .hold: return nil
    case .refuseFirst where isFirst:
      return .failure(ContractError.notStored(message: "the disk is full").dbusError)
    case .take, .refuseFirst:
      running.remove(ticket)
      return .success([])
    }
  }

  private static func problem(of result: [String: Value]) -> String? {
    if let value = result["value"] {
      guard let text = value.string else { return "has a value that is not a string" }
      return text.utf8.count <= 256 * 1024 ? nil : "has a value of more than 256 KiB"
    }
    return result["type"]?.string == nil ? "has neither a value nor the type of an error" : nil
  }

  /// Returns whether a call changes nothing, so that it may be made at any time.
  private static func isRead(_ call: IncomingCall) -> Bool {
    call.interface?.hasPrefix("org.freedesktop.DBus.") == true && call.member != "Set" || call.member.hasPrefix("List")
      || call.member.hasPrefix("Get")
  }
}
