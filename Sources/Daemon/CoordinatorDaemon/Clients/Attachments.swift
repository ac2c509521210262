import CoordinatorBus
import CoordinatorKit
import DBus

/// Attaches renderers to trees, detaches them, and notifies the other renderers. Used only on the host's executor.
final class Attachments {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let clients: ClientWatch
  private let access: AccessPolicy
  private let activity: HostActivity
  private let bus: BusSender
  private let entry: HostEntry

  /// Creates attachments.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the limits.
  ///   - roots: keeps the renderers of each tree.
  ///   - clients: keeps the trees of each client.
  ///   - access: decides which clients may receive a tree's signals.
  ///   - activity: tracks the number of flows and renderers.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, clients: ClientWatch, access: AccessPolicy,
    activity: HostActivity
  ) {
    (bus, entry) = (host.bus, host.entry)
    (self.settings, self.roots, self.clients, self.access, self.activity) = (settings, roots, clients, access, activity)
  }

  /// Handles `Attach`, which attaches its sender to the tree of a root, and answers with the tree's revision and
  /// screens.
  func attach(_ call: IncomingCall, to root: CoordinatorPath) {
    let name = String(root.root)
    do throws(DBusError) {
      var capabilities = try settings.reader.capabilities(call.arguments)
      capabilities.peer = call.credentials
      if let error = clients.refusal(toAttach: call.sender, to: name, settings.configuration.limits) { throw error }
      clients.track(call.sender)
      let isOneMore = clients.attach(call.sender, to: name)
      let isChanged = roots.live[name]?.clients.renderers[call.sender] != capabilities
      _ = roots.updateClients(of: name) { [capabilities] in $0.renderers[call.sender] = capabilities }
      if roots.live[name]?.clients.renderers.count == 1 { roots.live[name]?.tree.set(hasRenderer: true) }
      if isOneMore { tellRenderers() }
      if isChanged { tellRenderers(of: name) }
    } catch {
      return call.fail(error)
    }
    guard roots.live[name]?.largeScreens != nil else {
      return call.reply(roots.hosted(name)?.attachAnswer ?? [.uint64(0), .vardicts([])])
    }
    call.reply(inTurn: { [entry] () throws(DBusError) in
      guard let live = try entry.read({ $0.roots.live[name] }) else { throw CallError.unknownCoordinator(root).dbusError }
      return LargeAnswer(key: "Attach to \(root.root)", stamp: live.stamp) { HostedRoot.live(live).attachAnswer }
    })
  }

  /// Handles `Detach`.
  func detach(_ call: IncomingCall, from root: CoordinatorPath) {
    let name = String(root.root)
    let (wasAttached, isFewer) = clients.detach(call.sender, from: name)
    if wasAttached {
      _ = roots.updateClients(of: name) { $0.renderers[call.sender] = nil }
      rendererHasLeft(name)
      tellRenderers(of: name)
      if isFewer { tellRenderers() }
      clients.untrackIfIdle(call.sender)
    }
    call.reply()
  }

  /// Releases the clients of a tree that has ended.
  ///
  /// - Parameters:
  ///   - name: the name of the tree's root.
  ///   - owner: the unique name of the client that started the tree; nil if unknown.
  ///   - bound: the clients that waited for the tree or were attached to it.
  func release(_ name: String, owner: String?, _ bound: RootClients) {
    if clients.release(bound.senders.union(owner.map { [$0] } ?? []), from: name) { tellRenderers() }
  }

  /// Detaches a client that has left the bus, and closes the flows that end with it.
  func hasLeft(_ sender: String) {
    let departure = clients.hasLeft(sender)
    roots.removeClient(sender, attachedTo: departure.attached, awaiting: departure.awaited)
    for name in departure.attached.sorted() {
      rendererHasLeft(name)
      tellRenderers(of: name)
    }
    if !departure.attached.isEmpty { tellRenderers() }
    for name in roots.inOrder(departure.flows) { roots.live[name]?.tree.closeInTurn(isTimeout: false) }
  }

  /// Allows work to pause if no renderer shows its screens.
  private func rendererHasLeft(_ name: String) {
    guard let root = roots.live[name], root.clients.renderers.isEmpty else { return }
    root.tree.set(hasRenderer: false)
  }

  /// Announces that the renderers of a tree have changed.
  private func tellRenderers(of name: String) {
    guard let root = roots.live[name] else { return }
    bus.send(
      [.changed("Renderers", interface: Contract.routerInterface, root.state.root.routerPath)], to: access.hearers(of: name))
  }

  /// Announces that the number of renderers has changed.
  private func tellRenderers() {
    bus.send(.changed("Renderers", interface: Contract.managerInterface, Contract.rootPath))
    activity.hasChanged()
  }
}

/// The capabilities that a renderer declares when it attaches.
struct RendererCapabilities: Sendable, Hashable {
  /// The kind of renderer, such as "terminal"; empty if the renderer declared none.
  let kind: String
  /// The kinds of screens that the renderer can show; nil for all.
  let kinds: [String]?
  /// The name that distinguishes the renderer from others of its kind; empty if it declared none.
  var name = ""
  /// The people to whom it shows the tree; nil if it declared none.
  var people: [String]?
  /// The owner of the renderer's connection, to whom rules of flows apply.
  var peer: PeerCredentials?

  /// The limits of ``name`` and ``people``, because both are passed on to every other renderer.
  private static let longestName = 128
  private static let mostPeople = 32
  /// The limits of ``kind`` and ``kinds``, for the same reason.
  private static let longestKind = 64
  private static let mostKinds = 32

  /// Creates capabilities with the given values.
  init(kind: String, kinds: [String]? = nil) {
    self.kind = kind
    self.kinds = kinds
  }

  /// Decodes the argument of `Attach`. Unknown keys are ignored.
  ///
  /// - Parameter capabilities: the argument.
  /// - Throws: `InvalidArgs` for a value that is too long or of another type.
  init(_ capabilities: [String: Value]) throws(DBusError) {
    kind = try capabilities["kind"].map { value throws(DBusError) in try Self.kind(value) } ?? ""
    name = try capabilities["name"].map { value throws(DBusError) in try Self.name(value) } ?? ""
    people = try capabilities["people"].map { value throws(DBusError) in try Self.people(value) }
    guard let kinds = capabilities["kinds"] else {
      self.kinds = nil
      return
    }
    guard let elements = kinds.elements, elements.count <= Self.mostKinds else {
      throw .invalidArgs("the capability 'kinds' is not a list of at most \(Self.mostKinds) strings")
    }
    var names: [String] = []
    for element in elements { names.append(try Self.kind(element)) }
    self.kinds = names
  }

  private static func people(_ value: Value) throws(DBusError) -> [String] {
    guard let elements = value.elements, elements.count <= mostPeople else {
      throw .invalidArgs("the capability 'people' is not a list of at most \(mostPeople) strings")
    }
    var names: [String] = []
    for element in elements { names.append(try name(element)) }
    return names
  }

  private static func name(_ value: Value) throws(DBusError) -> String {
    guard let text = value.string, text.utf8.count <= longestName else {
      throw .invalidArgs("a name must be a string of at most \(longestName) bytes")
    }
    return text
  }

  private static func kind(_ value: Value) throws(DBusError) -> String {
    guard let text = value.string, text.utf8.count <= longestKind else {
      throw .invalidArgs("a kind must be a string of at most \(longestKind) bytes")
    }
    return text
  }

  /// Returns the entry for the renderer in the router's property `Renderers`.
  func vardict(client: String) -> [String: Value] {
    var result: [String: Value] = ["kind": .string(kind), "client": .string(client)]
    if !name.isEmpty { result["name"] = .string(name) }
    result["people"] = people.map(Value.strings)
    result["kinds"] = kinds.map(Value.strings)
    return result
  }
}

/// The clients of a root.
struct RootClients: Sendable {
  /// The calls that wait for the start or the end of the root.
  var waiters: [StartWaiter] = []
  /// The attached clients, by unique name.
  var renderers: [String: RendererCapabilities] = [:]

  /// The unique names of all clients.
  var senders: Set<String> { Set(renderers.keys).union(waiters.map(\.call.sender)) }

  /// Removes and returns the calls that wait for the start or for the end of the root.
  mutating func takeWaiters(for kind: StartWaiter.Kind) -> [StartWaiter] {
    let taken = waiters.filter { $0.kind == kind }
    // A new array, because the old one would keep its memory, and most flows have no waiters once they have started.
    waiters = waiters.filter { $0.kind != kind }
    return taken
  }
}
