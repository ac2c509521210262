import CoordinatorBus
import CoordinatorKit

/// Watches over what goes over the bus how renderers behave: a value that decides.
///
/// A renderer is whoever calls Attach. What its user sees is no matter here; ``RendererTrialFlow`` finds that out.
public struct ConductReview: Sendable {
  /// What is known of a client.
  private struct Client: Sendable {
    var hasAttached = false
    /// To which start of the daemon it has attached.
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
  /// What goes over the bus for the trial itself.
  private let own: Set<String>

  /// More readings of all screens than this, and a renderer is taken to ask again and again instead of listening.
  private static let mostReadings = 40

  /// A review that has seen nothing yet.
  ///
  /// - Parameter own: the unique names of clients that are no renderers.
  public init(ignoring own: Set<String> = []) { self.own = own }

  /// What was wrong, in the order in which it was seen, each once.
  public var faults: [String] {
    guard clients.values.contains(where: \.hasAttached) else { return ["no renderer has attached"] }
    return noted + renderers.flatMap(verdicts)
  }

  /// What could be better, but is not wrong.
  public var remarks: [String] {
    renderers.allSatisfy { $0.drafts > 0 } ? [] : ["SaveDraft was not called: what is typed is not there in other renderers"]
  }

  private var renderers: [Client] { clients.values.filter(\.hasAttached) }

  private func verdicts(on client: Client) -> [String] {
    var faults: [String] = []
    if client.kind == nil { faults.append("Attach named no kind, so that nobody can be told who has answered") }
    if client.generation < generation { faults.append("it did not attach again when the daemon came back") }
    if client.readings > Self.mostReadings {
      faults.append("it read all screens \(client.readings) times: signals tell what has changed")
    }
    return faults
  }

  /// Takes a message, in the order in which they went over the bus.
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
      if !client.hasAttached, !client.subscribed { note("it attached before it listened: what happens in between is lost") }
      client.hasAttached = true
      client.generation = generation
      client.kind = message.argument(0)?.object?["kind"]?.object?["data"]?.string
    case (Contract.routerInterface, "SaveDraft"): client.drafts += 1
    case (Contract.coordinatorInterface, "Delegate"):
      guard client.hasAttached else { break }
      if message.argument(0)?.integer != 0, message.argument(3)?.object?["seen"] == nil {
        note("Delegate without seen: an answer to a screen that has changed since would be taken")
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
    // Somebody was faster, or has ended the flow; or its user has to correct something.
    case ("Delegate", "StaleScreen"), ("Back", "StaleScreen"), ("SaveDraft", "StaleScreen"), ("Delegate", "InvalidPayload"): break
    case (_, "ServiceUnknown"), (_, "NoReply"), (_, "NameHasNoOwner"), (_, "UnknownObject"), (_, "Disconnected"): break
    case ("Back", "NotDismissable"): note("it offered a way back from a screen whose back is false")
    case ("Delegate", "UnknownEvent"): note("it delegated an event that the screen does not offer: \(text)")
    case ("SaveDraft", "InvalidPayload"): note("it saved what must not be in a draft: \(text)")
    case ("Attach", _), ("Delegate", _), ("Back", _), ("SaveDraft", _), ("Detach", _):
      note("\(member) was refused: \(name): \(text)")
    default: break
    }
  }

  private mutating func note(_ fault: String) {
    if !noted.contains(fault) { noted.append(fault) }
  }
}
