/// The clients that the daemon has to know about when they leave the bus: what each is attached to, has started, and waits for.
///
/// A value that decides: its owner watches the bus, and cancels the watches that are handed back.
struct ClientTable<Watch: Sendable>: Sendable {
  private struct Client: Sendable {
    let watch: Watch
    /// The names of the trees that it is attached to.
    var attached: Set<String> = []
    /// The names of the roots that end when it leaves.
    var flows: Set<String> = []
    /// The names of the roots whose end it waits for.
    var awaited: Set<String> = []

    var isIdle: Bool { attached.isEmpty && flows.isEmpty && awaited.isEmpty }
  }

  /// What a client that has left the bus was bound to, by the names of roots.
  struct Departure: Sendable, Hashable {
    var attached: Set<String> = []
    var flows: Set<String> = []
    var awaited: Set<String> = []
  }

  private var clients: [String: Client] = [:]
  /// How many connections are attached to any tree, each counted once.
  private(set) var rendererCount = 0
  /// How many attachments there are: a connection counts once for each tree.
  private(set) var attachmentCount = 0

  /// Whether a client is watched.
  func isTracked(_ sender: String) -> Bool { clients[sender] != nil }

  /// The names of the trees that a client is attached to.
  private func attached(_ sender: String) -> Set<String> { clients[sender]?.attached ?? [] }

  // MARK: Coming

  /// Adds a client.
  ///
  /// - Parameters:
  ///   - sender: its unique name.
  ///   - watch: notifies of its departure; not kept if the client is known already.
  mutating func track(_ sender: String, _ watch: Watch) {
    if clients[sender] == nil { clients[sender] = Client(watch: watch) }
  }

  /// Notes that a client waits for the end of a root.
  mutating func await(_ name: String, by sender: String) { clients[sender]?.awaited.insert(name) }

  /// Notes that a client waits no more.
  mutating func stopAwaiting(_ name: String, by sender: String) { clients[sender]?.awaited.remove(name) }

  /// Has a root end when a client leaves.
  ///
  /// - Returns: whether the client is still there.
  mutating func bind(_ name: String, to sender: String) -> Bool { clients[sender]?.flows.insert(name) != nil }

  // MARK: Attaching

  /// Why a client cannot attach to a tree.
  enum Refusal: Sendable, Hashable {
    case tooManyRenderers
    case tooManyAttachments
  }

  /// Decides whether a client may attach to a tree.
  ///
  /// - Parameters:
  ///   - sender: its unique name.
  ///   - name: the name of the tree's root.
  ///   - limits: how many renderers, and how many attachments, there may be.
  /// - Returns: why not; nil if it may.
  func refusal(toAttach sender: String, to name: String, limits: (renderers: Int, attachments: Int)) -> Refusal? {
    let attached = attached(sender)
    if attached.isEmpty, rendererCount >= limits.renderers { return .tooManyRenderers }
    if !attached.contains(name), attachmentCount >= limits.attachments { return .tooManyAttachments }
    return nil
  }

  /// Attaches a known client to a tree.
  ///
  /// - Returns: whether there is one renderer more.
  mutating func attach(_ sender: String, to name: String) -> Bool {
    guard let index = clients.index(forKey: sender) else { return false }
    let wasRenderer = !clients.values[index].attached.isEmpty
    guard clients.values[index].attached.insert(name).inserted else { return false }
    attachmentCount += 1
    if !wasRenderer { rendererCount += 1 }
    return !wasRenderer
  }

  /// Detaches a client from a tree.
  ///
  /// - Returns: whether it was attached, and whether there is one renderer less.
  mutating func detach(_ sender: String, from name: String) -> (wasAttached: Bool, isFewer: Bool) {
    guard let index = clients.index(forKey: sender), clients.values[index].attached.remove(name) != nil else {
      return (false, false)
    }
    attachmentCount -= 1
    let isFewer = clients.values[index].attached.isEmpty
    if isFewer { rendererCount -= 1 }
    return (true, isFewer)
  }

  // MARK: Going

  /// Forgets all that binds a client to a root that has ended.
  ///
  /// - Returns: whether there is one renderer less.
  mutating func release(_ sender: String, from name: String) -> Bool {
    let isFewer = detach(sender, from: name).isFewer
    clients[sender]?.flows.remove(name)
    clients[sender]?.awaited.remove(name)
    return isFewer
  }

  /// Forgets a client that nothing binds any more.
  ///
  /// - Returns: the watch to cancel; nil if the client stays, or was not known.
  mutating func forgetIfIdle(_ sender: String) -> Watch? {
    guard clients[sender]?.isIdle == true else { return nil }
    return clients.removeValue(forKey: sender)?.watch
  }

  /// Forgets a client that has left the bus.
  ///
  /// - Returns: what it was bound to.
  mutating func hasLeft(_ sender: String) -> Departure {
    guard let client = clients.removeValue(forKey: sender) else { return Departure() }
    attachmentCount -= client.attached.count
    if !client.attached.isEmpty { rendererCount -= 1 }
    return Departure(attached: client.attached, flows: client.flows, awaited: client.awaited)
  }
}
