import CoordinatorBus
import CoordinatorKit

/// Reviews the conduct of renderers by the messages on the bus. A value type that decides.
///
/// A renderer is any client that calls `Attach`. This type does not review the display to the user; ``RendererTrialFlow`` does.
public struct ConductReview: Sendable {
  /// The record of a client.
  private struct Client: Sendable {
    var hasAttached = false
    /// The generation of the daemon to which the client has attached.
    var generation = 0
    var subscribed = false
    var kind: String?
    var readings = 0
    var drafts = 0
    var calls: [UInt64: String] = [:]
  }

  private var clients: [String: Client] = [:]
  private var generation = 0
  private var noted: [String] = []
  /// The unique names of the trial's own clients.
  private let own: Set<String>

  /// The number of reads of all screens above which a renderer counts as polling instead of listening.
  private static let mostReadings = 40

  /// Creates a review without observations.
  ///
  /// - Parameter own: the unique names of clients that are not renderers.
  public init(ignoring own: Set<String> = []) { self.own = own }

  /// The faults, each once, in the order of observation.
  public var faults: [String] {
    guard clients.values.contains(where: \.hasAttached) else { return ["no renderer has attached"] }
    return noted + renderers.flatMap(verdicts)
  }

  /// Possible improvements that are not faults.
  public var remarks: [String] {
    renderers.allSatisfy { $0.drafts > 0 } ? [] : ["SaveDraft was not called: typed text does not appear in other renderers"]
  }

  private var renderers: [Client] { clients.values.filter(\.hasAttached) }

  private func verdicts(on client: Client) -> [String] {
    var faults: [String] = []
    if client.kind == nil {
      faults.append("Attach did not give a kind, so other renderers cannot show where an answer came from")
    }
    if client.generation < generation { faults.append("it did not attach again after the daemon came back") }
    if client.readings > Self.mostReadings {
      faults.append("it read all screens \(client.readings) times: signals announce what has changed")
    }
    return faults
  }

  /// Reviews a message. Call it with all messages, in the order in which they were sent.
  public mutating func receive(_ message: ObservedMessage) {
    switch message.type {
    case "signal": daemonChanged(message)
    case "method_call": called(message)
    case "error": refused(message)
    default: break
    }
  }

  private mutating func daemonChanged(_ message: ObservedMessage) {
    guard message.member == "NameOwnerChanged", message.argument(0)?.string == Contract.busName,
      message.argument(2)?.string?.isEmpty == false
    else { return }
    generation += 1
  }

  private mutating func called(_ message: ObservedMessage) {
    guard let sender = message.sender, !own.contains(sender), let member = message.member else { return }
    var client = clients[sender] ?? Client()
    defer { clients[sender] = client }
    client.calls[message.cookie] = member
    switch (message.interface, member) {
    case ("org.freedesktop.DBus", "AddMatch"): client.subscribed = true
    case (Contract.routerInterface, "Attach"):
      if !client.hasAttached, !client.subscribed {
        note("it attached before it subscribed to signals: changes in between are lost")
      }
      client.hasAttached = true
      client.generation = generation
      client.kind = message.argument(0)?.object?["kind"]?.object?["data"]?.string
    case (Contract.routerInterface, "SaveDraft"): client.drafts += 1
    case (Contract.coordinatorInterface, "Delegate"):
      guard client.hasAttached else { break }
      if message.argument(0)?.integer != 0, message.argument(3)?.object?["seen"] == nil {
        note("Delegate without seen: an answer to a screen that has changed in the meantime would be accepted")
      }
    case ("org.freedesktop.DBus.Properties", "GetAll"): client.readings += 1
    case ("org.freedesktop.DBus.Properties", "Get") where message.argument(1)?.string == "Screens": client.readings += 1
    default: break
    }
  }

  private mutating func refused(_ message: ObservedMessage) {
    guard let caller = message.destination, let client = clients[caller], client.hasAttached,
      let cookie = message.replyCookie, let member = client.calls[cookie], let error = message.errorName
    else { return }
    let name = error.split(separator: ".").last.map(String.init) ?? error
    let text = message.argument(0)?.string ?? ""
    switch (member, name) {
    case ("Delegate", "InvalidPayload") where message.isAboutDisabledItem:
      note("it sent an item that cannot be chosen now: \(text)")
    case ("Delegate", "Denied"): note("it sent an action that cannot be chosen now: \(text)")
    // Another renderer was faster or ended the flow, or the user must correct the input.
    case ("Delegate", "StaleScreen"), ("Back", "StaleScreen"), ("SaveDraft", "StaleScreen"), ("Delegate", "InvalidPayload"): break
    case (_, "ServiceUnknown"), (_, "NoReply"), (_, "NameHasNoOwner"), (_, "UnknownObject"), (_, "Disconnected"): break
    case ("Back", "NotDismissable"): note("it offered to go back from a screen whose back is false")
    case ("Delegate", "UnknownEvent"): note("it delegated an event that the screen does not offer: \(text)")
    case ("SaveDraft", "InvalidPayload"): note("it saved a value that must not be in a draft: \(text)")
    case ("Attach", _), ("Delegate", _), ("Back", _), ("SaveDraft", _), ("Detach", _):
      note("\(member) was refused: \(name): \(text)")
    default: break
    }
  }

  private mutating func note(_ fault: String) {
    if !noted.contains(fault) { noted.append(fault) }
  }
}

extension ObservedMessage {
  /// Whether an `InvalidPayload` reports a disabled item, for which the user is not responsible.
  fileprivate var isAboutDisabledItem: Bool {
    argument(1)?.object?.values.contains { $0.string?.hasPrefix("cannot be chosen: ") == true } == true
  }
}
