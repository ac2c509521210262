import CoordinatorJournal
import CoordinatorKit
import DBus

/// The root coordinators that are being started, live, are held, or have ended and are remembered; by name, which is the token or `FLOW_N`.
///
/// A value that decides: the host does what it says.
struct RootRegistry: Sendable {
  /// What becomes of a request to start a flow.
  enum Admission {
    /// Start it under this name.
    case start(name: String)
    /// It is being started; answer when it has.
    case isStarting(name: String)
    /// The token's flow lives.
    case isLive(LiveRoot)
    /// The token's flow is not back yet after a restart; ask again when it is.
    case isRestoring(name: String)
    /// The token's flow is held.
    case isHeld(name: String)
    /// The token's flow has ended.
    case hasEnded(EndedRoot)
    /// Answer with this error.
    case refuse(DBusError)
  }

  /// The names of those that live, but are not back yet after a restart.
  private(set) var restoring: Set<String> = []
  private(set) var starting: [String: StartingRoot] = [:]
  private(set) var live: [String: LiveRoot] = [:]
  var held = HeldRoots()
  private(set) var ended: [String: EndedRoot] = [:]
  /// What the inputs of those take up that live or are being started.
  var inputs: InputLedger
  private var endedOrder: [String] = []
  private var firstEnded = 0
  private var startsByClient: [String: Int] = [:]
  /// The highest number that a root was named by; never used twice.
  private var lastNumber: UInt64 = 0
  private var lastSequence: UInt64 = 0
  /// Another number whenever anything that lives is not what it was.
  private(set) var stamp: UInt64 = 0
  let limits: DaemonLimits

  init(limits: DaemonLimits) {
    self.limits = limits
    inputs = InputLedger(limits: limits)
  }

  /// The live roots, in the order in which they were started.
  var liveInOrder: [LiveRoot] { live.values.sorted { $0.sequence < $1.sequence } }

  /// Decides on a request, and if it is to be started reserves its name.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - element: tells the flow's name as a path element; only asked if the token is not known, since the flow of one that is may be
  ///     unknown.
  /// - Returns: what to do.
  /// - Throws: what `element` throws.
  mutating func admit(
    _ request: StartRequest, element: () throws(DBusError) -> String
  ) throws(DBusError) -> Admission {
    if let token = request.token, let known = admission(ofKnown: token, request) { return known }
    let element = try element()
    guard activeCount + starting.count + restoring.count < Int(limits.maxFlows) else {
      return .refuse(.limitsExceeded("there are already \(limits.maxFlows) flows"))
    }
    let startedByClient = startsByClient[request.client] ?? 0
    guard startedByClient < Int(limits.maxFlowsPerClient) else {
      return .refuse(.limitsExceeded("this client has already started \(limits.maxFlowsPerClient) flows that live"))
    }
    let size = JSONValue.object(request.input).roughSize
    if let error = inputs.refusal(of: size, to: request.client) { return .refuse(error) }
    let name = request.token ?? freeName(element)
    inputs.set(name, of: request.client, to: size)
    startsByClient[request.client] = startedByClient + 1
    lastSequence += 1
    starting[name] = StartingRoot(request: request, sequence: lastSequence)
    return .start(name: name)
  }

  private func admission(ofKnown token: String, _ request: StartRequest) -> Admission? {
    let inUse = Admission.refuse(.tokenInUse(token))
    if let root = starting[token] { return root.request.isSame(as: request) ? .isStarting(name: token) : inUse }
    if let root = live[token] { return root.request.isSame(as: request) ? .isLive(root) : inUse }
    if restoring.contains(token) { return .isRestoring(name: token) }
    if let root = held[token] {
      guard let isSame = root.isSame(as: request) else { return .refuse(.held(root.reason)) }
      return isSame ? .isHeld(name: token) : inUse
    }
    if let root = ended[token] { return request.isFor(root.asked) && root.hasToken ? .hasEnded(root) : inUse }
    return nil
  }

  private mutating func freeName(_ element: String) -> String {
    while true {
      lastNumber += 1
      let name = "\(element)_\(lastNumber)"
      let isFree = starting[name] == nil && live[name] == nil && held[name] == nil && ended[name] == nil
      if isFree && !restoring.contains(name) { return name }
    }
  }

  /// Why a tree may not get what a call brings; nil if it may.
  func refusal(of call: TreeCall, to name: String) -> DBusError? {
    guard let input = call.input, let client = inputs.client(of: name) else { return nil }
    return inputs.refusal(of: JSONValue.object(input).roughSize, to: client)
  }

  // MARK: Looking

  /// How many roots have objects on the bus.
  var activeCount: Int { live.count + held.count }

  /// A root that has objects on the bus.
  func hosted(_ name: String) -> HostedRoot? { live[name].map { .live($0) } ?? held[name].map { .held($0) } }

  /// The roots that have objects on the bus, in the order in which they were started.
  var hostedInOrder: [HostedRoot] {
    (live.values.map { HostedRoot.live($0) } + held.all.map { HostedRoot.held($0) }).sorted { $0.sequence < $1.sequence }
  }

  /// Whether no root has not ended.
  var isEmpty: Bool { activeCount == 0 && starting.isEmpty && restoring.isEmpty }

  /// The tree of a root that lives or is being started.
  func tree(_ name: String) -> FlowTree? { live[name]?.tree ?? starting[name]?.tree }

  /// The trees that live or are being started.
  var trees: [(String, FlowTree)] {
    live.map { ($0.key, $0.value.tree) } + starting.compactMap { entry in entry.value.tree.map { (entry.key, $0) } }
  }

  // MARK: From starting to ended

  /// Lets another caller wait for a flow that is being started.
  mutating func addWaiter(_ waiter: StartWaiter, to name: String) { starting[name]?.waiters.append(waiter) }

  /// Hands the tree over that starts a flow.
  mutating func setTree(_ tree: FlowTree, of name: String) { starting[name]?.tree = tree }

  /// Notes that a flow has started.
  ///
  /// - Returns: the root as it is from now on; nil if it was not being started.
  mutating func hasStarted(_ state: TreeState) -> LiveRoot? {
    let name = String(state.root.root)
    guard let root = starting.removeValue(forKey: name), let tree = root.tree else { return nil }
    stamp += 1
    let live = LiveRoot(
      name: name, sequence: root.sequence, request: root.request, tree: tree, stamp: stamp, state: state,
      clients: RootClients(waiters: root.waiters))
    self.live[name] = live
    inputs.update(name, to: state.inputSize)
    return live
  }

  /// Notes what has become of a live tree.
  ///
  /// - Parameters:
  ///   - state: what the tree is now.
  ///   - hasOthers: whether its coordinators or its drafts are not the same as before.
  /// - Returns: whether there is such a tree.
  mutating func hasChanged(_ state: TreeState, hasOthers: Bool) -> Bool {
    let name = String(state.root.root)
    guard update(name, { $0.state = state }) != nil else { return false }
    if hasOthers { inputs.update(name, to: state.inputSize) }
    return true
  }

  /// Forgets a flow that did not start.
  ///
  /// - Returns: who waits for it.
  mutating func hasNotStarted(_ name: String) -> [StartWaiter] {
    guard let root = starting.removeValue(forKey: name) else { return [] }
    release(root.request.client)
    inputs.remove(name)
    return root.waiters
  }

  /// Changes a live root in its place.
  ///
  /// - Returns: what `change` returns; nil if there is no such root.
  mutating func update<Result>(_ name: String, _ change: (inout LiveRoot) -> Result) -> Result? {
    guard live[name] != nil else { return nil }
    stamp += 1
    return live[name].mutate { [stamp] root in
      root.stamp = stamp
      return change(&root)
    }
  }

  /// Changes the clients of a root that has objects on the bus.
  ///
  /// - Returns: what `change` returns; nil if there is no such root.
  mutating func updateClients<Result>(of name: String, _ change: (inout RootClients) -> Result) -> Result? {
    if let result = update(name, { change(&$0.clients) }) { return result }
    stamp += 1
    return held.updateClients(of: name, change)
  }

  /// Notes that a flow has ended, and forgets the oldest ones if too many are remembered.
  ///
  /// - Returns: the root as it was; nil if it did not live.
  mutating func hasEnded(_ name: String, _ outcome: Outcome) -> LiveRoot? {
    guard let root = live.removeValue(forKey: name) else { return nil }
    stamp += 1
    release(root.request.client)
    inputs.remove(name)
    remember(
      EndedRoot(
        path: root.state.root, flow: root.request.flow, asked: root.request.digest, hasToken: root.request.token != nil,
        outcome: outcome, requests: root.state.requests))
    return root
  }

  private mutating func remember(_ root: EndedRoot) {
    let name = String(root.path.root)
    if ended.updateValue(root, forKey: name) == nil { endedOrder.append(name) }
    while ended.count > Int(limits.maxOutcomes) && firstEnded < endedOrder.count {
      ended[endedOrder[firstEnded]] = nil
      firstEnded += 1
    }
    if firstEnded > 1_024 && firstEnded * 2 > endedOrder.count {
      endedOrder.removeFirst(firstEnded)
      firstEnded = 0
    }
  }

  // MARK: After a restart

  /// What a journal is to keep of a root that is being started.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - bus: the id of the bus that its caller's name is of.
  /// - Returns: nil if it is not being started.
  func stored(_ name: String, bus: String) -> StoredRoot? {
    guard let root = starting[name] else { return nil }
    let request = root.request
    return StoredRoot(
      name: name, sequence: root.sequence, lastNumber: lastNumber, flow: request.flow, digest: request.digest,
      hasToken: request.token != nil, owner: request.endsWithCaller ? .init(name: request.sender, bus: bus) : nil,
      deadline: request.deadline)
  }

  /// Notes what a daemon before this one has left.
  mutating func load(_ stored: StoredRoots) {
    lastNumber = max(lastNumber, stored.lastNumber)
    let sequences = stored.live.map(\.sequence) + stored.ended.map(\.root.sequence) + stored.damaged.map(\.sequence)
    lastSequence = max(lastSequence, stored.lastSequence, sequences.max() ?? 0)
    restoring = Set(stored.live.map(\.name))
    for end in stored.ended {
      remember(
        EndedRoot(
          path: CoordinatorPath(root: end.root.name), flow: end.root.flow, asked: end.root.digest, hasToken: end.root.hasToken,
          outcome: end.outcome, requests: RequestLedger(readable: end.requests)))
    }
    for root in stored.damaged { held.hold(HeldRoot(root)) }
  }

  /// Notes that a tree is back.
  ///
  /// - Returns: the root as it is from now on, and as it was while it was held; nil if it was not expected.
  mutating func hasRestored(_ stored: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> (root: LiveRoot, before: HeldRoot?)? {
    let before = held.letGo(stored.name)
    if before == nil {
      guard restoring.remove(stored.name) != nil else { return nil }
      countStart(by: stored.owner)
    }
    let request = StartRequest(
      flow: stored.flow, input: state.coordinators[state.root]?.input ?? [:], token: stored.hasToken ? stored.name : nil,
      sender: stored.owner?.name ?? "", client: stored.owner?.name ?? "", endsWithCaller: stored.owner != nil,
      deadline: stored.deadline, digest: stored.digest)
    stamp += 1
    let root = LiveRoot(
      name: stored.name, sequence: stored.sequence, request: request, tree: tree, stamp: stamp, state: state,
      clients: before?.clients ?? RootClients())
    live[stored.name] = root
    inputs.set(stored.name, of: request.client, to: state.inputSize)
    return (root, before)
  }

  /// Holds a tree that cannot be taken up.
  ///
  /// - Parameters:
  ///   - stored: how it was asked for.
  ///   - outline: what is known of it; nil if nothing could be read.
  ///   - reason: why.
  /// - Returns: the root as it was, if it was held before.
  mutating func hold(_ stored: StoredRoot, _ outline: TreeOutline?, reason: String) -> HeldRoot? {
    stamp += 1
    guard restoring.remove(stored.name) != nil else { return held.holdAgain(stored.name, outline, reason: reason) }
    countStart(by: stored.owner)
    held.hold(HeldRoot(stored, outline, reason: reason))
    return nil
  }

  /// Notes that the end of a held root, which was dismissed, is stored.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - requests: the answers that are kept.
  /// - Returns: the root as it was.
  mutating func heldHasEnded(_ name: String, _ requests: RequestLedger) -> HeldRoot? {
    guard let root = held.hasEnded(name) else { return nil }
    stamp += 1
    release(root.owner?.name ?? "")
    let stored = root.asStored
    remember(
      EndedRoot(
        path: root.path, flow: root.flow, asked: stored.digest, hasToken: stored.hasToken, outcome: .cancelled, requests: requests
      ))
    return root
  }

  private mutating func countStart(by owner: StoredRoot.Owner?) {
    if let owner { startsByClient[owner.name, default: 0] += 1 }
  }

  /// Stops counting what a client has started, because it has left the bus.
  mutating func forgetStarts(of client: String) { startsByClient[client] = nil }

  /// Whether a client that is on the bus has started anything that lives.
  func hasStarts(of client: String) -> Bool { startsByClient[client] != nil }

  private mutating func release(_ client: String) {
    guard let count = startsByClient[client] else { return }
    startsByClient[client] = count > 1 ? count - 1 : nil
  }
}

extension TreeCall {
  /// What it brings that will be kept as long as the tree lives.
  fileprivate var input: [String: JSONValue]? {
    switch self {
    case .startChild(_, _, let input, _), .saveDraft(_, let input): input
    case .delegate, .back, .dismiss: nil
    }
  }
}

extension Optional {
  /// Changes the value in its place.
  fileprivate mutating func mutate<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    self = nil
    defer { self = value }
    return change(&value)
  }
}
