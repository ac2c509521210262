import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// The root coordinators that are being started, live, held, or ended and remembered, by name. The name of a root is
/// its token or `FLOW_N`.
///
/// Makes decisions, and sends nothing. The parts of a host share one registry, and act on its decisions. Used only on the
/// host's executor.
final class RootRegistry {
  /// The names of the live roots that have not been restored yet after a restart.
  private(set) var restoring: [String: String] = [:]
  /// The last transitions of these roots, as far as they are known.
  private var lastTransitions: [String: LastTransition] = [:]
  private(set) var starting: [String: StartingRoot] = [:]
  private(set) var live: [String: LiveRoot] = [:]
  private(set) var held = HeldRoots()
  private(set) var ended: EndedRoots
  /// The resources that clients use with live roots and roots that are being started.
  private(set) var quotas: ClientQuotas
  /// The highest number used in a name. Numbers are never reused.
  private var lastNumber: UInt64 = 0
  private var lastSequence: UInt64 = 0
  /// A number that changes whenever a live or held root changes.
  private(set) var stamp: UInt64 = 0
  let limits: DaemonLimits

  init(limits: DaemonLimits) {
    self.limits = limits
    quotas = ClientQuotas(limits: limits)
    ended = EndedRoots(capacity: Int(limits.maxOutcomes))
  }

  /// The live roots, in the order in which they were started.
  var liveInOrder: [LiveRoot] { live.values.sorted { $0.sequence < $1.sequence } }

  /// Returns the names of live roots in the order in which these were started.
  func inOrder(_ names: Set<String>) -> [String] {
    names.compactMap { live[$0] }.sorted { $0.sequence < $1.sequence }.map(\.name)
  }

  /// Decides on a request to start a flow. If it is to be started, reserves its name.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - element: returns the flow's name as a path element. Called only if the token is unknown, since the flow of a
  ///     known token may itself be unknown.
  ///   - isSingleton: returns whether at most one root of the flow may run. Called only if the token is unknown.
  /// - Returns: the decision.
  /// - Throws: any error that `element` throws.
  func admit(
    _ request: StartRequest, element: () throws(DBusError) -> String, isSingleton: () -> Bool = { false }
  ) throws(DBusError) -> Admission {
    if let token = request.token, let known = admission(ofKnown: token, request) { return known }
    let element = try element()
    if isSingleton(), let name = nameOfRunning(request.flow) { return .refuse(.alreadyRunning(request.flow, as: name)) }
    guard activeCount + starting.count + restoring.count < Int(limits.maxFlows) else {
      return .refuse(.limitsExceeded("there are already \(limits.maxFlows) flows"))
    }
    let size = JSONValue.object(request.input).roughSize
    if let error = quotas.refusal(ofStartBy: request.client, size: size) { return .refuse(error) }
    let name = request.token ?? freeName(element)
    quotas.set(name, of: request.client, to: size)
    quotas.start(by: request.client)
    lastSequence += 1
    starting[name] = StartingRoot(request: request, sequence: lastSequence)
    return .start(name: name)
  }

  /// Returns the name of a root of a flow that has not ended; nil if there is none.
  private func nameOfRunning(_ flow: String) -> String? {
    starting.first { $0.value.request.flow == flow }?.key ?? live.first { $0.value.request.flow == flow }?.key
      ?? held.all.first { $0.flow == flow }?.name ?? restoring.first { $0.value == flow }?.key
  }

  private func admission(ofKnown token: String, _ request: StartRequest) -> Admission? {
    let inUse = Admission.refuse(.tokenInUse(token))
    if let root = starting[token] { return root.request.isSame(as: request) ? .isStarting(name: token) : inUse }
    if let root = live[token] { return root.request.isSame(as: request) ? .isLive(root) : inUse }
    if restoring[token] != nil { return .isRestoring(name: token) }
    if let root = held[token] {
      guard let isSame = root.isSame(as: request) else { return .refuse(.held(root.reason)) }
      return isSame ? .isHeld(name: token) : inUse
    }
    // A request for a fresh start must not receive the old outcome.
    if request.isFresh, let root = ended[token], request.isFor(root.asked), root.hasToken { return nil }
    if let root = ended[token] { return request.isFor(root.asked) && root.hasToken ? .hasEnded(root) : inUse }
    return nil
  }

  private func freeName(_ element: String) -> String {
    while true {
      lastNumber += 1
      let name = "\(element)_\(lastNumber)"
      let isFree = starting[name] == nil && live[name] == nil && held[name] == nil && ended[name] == nil
      if isFree && restoring[name] == nil { return name }
    }
  }

  /// Returns the reason why a tree may not receive a call's input; nil if it may.
  func refusal(of call: TreeCall, to name: String) -> DBusError? { quotas.refusal(of: call, to: name) }

  // MARK: Lookup

  /// The number of roots that have objects on the bus.
  var activeCount: Int { live.count + held.count }

  /// Returns a root that has objects on the bus.
  func hosted(_ name: String) -> HostedRoot? { live[name].map { .live($0) } ?? held[name].map { .held($0) } }

  /// Returns the stored answers of a root, whether it is live, held, or ended and remembered; nil if unknown.
  func requests(of name: String) -> RequestLedger? { hosted(name)?.requests ?? ended[name]?.requests }

  /// A copy of the roots that have objects on the bus.
  var active: ActiveRoots { ActiveRoots(live: live, held: held) }

  /// Whether every root has ended.
  var isEmpty: Bool { activeCount == 0 && starting.isEmpty && restoring.isEmpty }

  /// Returns the tree of a root that is live or being started.
  func tree(_ name: String) -> FlowTree? { live[name]?.tree ?? starting[name]?.tree }

  /// The trees of the roots that are live or being started, by name.
  var trees: [(String, FlowTree)] {
    live.map { ($0.key, $0.value.tree) } + starting.compactMap { entry in entry.value.tree.map { (entry.key, $0) } }
  }

  // MARK: Life cycle

  /// Adds a call that waits for a flow that is being started.
  func addWaiter(_ waiter: StartWaiter, to name: String) { starting[name]?.waiters.append(waiter) }

  /// Sets the tree of a flow that is being started.
  func setTree(_ tree: FlowTree, of name: String) { starting[name]?.tree = tree }

  /// Makes a starting root live.
  ///
  /// - Returns: the live root; nil if it was not being started.
  func hasStarted(_ state: TreeState, last: LastTransition? = nil) -> LiveRoot? {
    let name = String(state.root.root)
    guard let root = starting.removeValue(forKey: name), let tree = root.tree else { return nil }
    ended.forget(name)
    stamp += 1
    let live = LiveRoot(
      name: name, sequence: root.sequence, request: root.request, tree: tree, stamp: stamp, state: state, last: last,
      clients: RootClients(waiters: root.waiters))
    self.live[name] = live
    quotas.update(name, to: state.inputSize)
    return live
  }

  /// Adopts a transition of a live tree.
  ///
  /// - Parameter publication: the stored transition, other than the start.
  /// - Returns: whether there is such a tree.
  func hasChanged(_ publication: Publication) -> Bool {
    let state = publication.state
    let name = String(state.root.root)
    let change: Void? = update(name) { root in
      root.state = state
      root.note(publication)
      if !root.progress.isEmpty { root.dropProgress(publication) }
    }
    guard change != nil else { return false }
    if publication.changesInputs { quotas.update(name, to: state.inputSize) }
    return true
  }

  /// Adopts screens that changed because work reported a value.
  ///
  /// - Parameters:
  ///   - live: the screens that changed.
  ///   - state: the tree with these screens.
  /// - Returns: whether there is such a tree.
  func hasShown(_ live: [Publication.Updated], of state: TreeState) -> Bool {
    let change: Void? = update(String(state.root.root)) { root in
      root.state = state
      root.holds = state.reasonsOfHolds
      for updated in live where updated.keys.contains(.progress) { root.progress[updated.screen.id] = nil }
    }
    return change != nil
  }

  /// Adopts progress that work has reported.
  ///
  /// - Parameters:
  ///   - progress: the latest progress, by screen.
  ///   - root: the path of the tree's root.
  /// - Returns: the progress to announce, in the order of the screens; nil if there is no such tree. Progress is left
  ///   out if its screen was dismissed or has stopped showing progress since.
  func show(
    _ progress: [ScreenID: Progress], of root: CoordinatorPath
  ) -> [(screen: ScreenID, progress: Progress)]? {
    guard let state = live[String(root.root)]?.state else { return nil }
    let shown = progress.filter { state.window[$0.key]?.content.progress != nil }.sorted { $0.key < $1.key }
    guard !shown.isEmpty else { return [] }
    _ = update(String(root.root)) { root in for (screen, progress) in shown { root.progress[screen] = progress } }
    return shown.map { ($0.key, $0.value) }
  }

  /// Returns whether there is an outcome of the flow of a token to forget.
  ///
  /// - Parameter token: the token.
  /// - Returns: whether there is one.
  /// - Throws: `TokenInUse` if the token's flow has not ended.
  func canForget(_ token: String) throws(DBusError) -> Bool {
    guard starting[token] == nil, hosted(token) == nil, restoring[token] == nil else { throw .stillRunning(token) }
    return ended[token]?.hasToken == true
  }

  /// Forgets the outcome of a token's flow, unless the token has been used again.
  func forget(_ token: String) {
    if (try? canForget(token)) == true { ended.forget(token) }
  }

  /// Removes a flow that failed to start.
  ///
  /// - Returns: the calls that wait for it.
  func hasNotStarted(_ name: String) -> [StartWaiter] {
    guard let root = starting.removeValue(forKey: name) else { return [] }
    quotas.end(name, by: root.request.client)
    return root.waiters
  }

  /// Changes a live root in place.
  ///
  /// - Returns: the result of `change`; nil if there is no such root.
  func update<Result>(_ name: String, _ change: (inout LiveRoot) -> Result) -> Result? {
    guard live[name] != nil else { return nil }
    stamp += 1
    return live[name].mutate { [stamp] root in
      root.stamp = stamp
      return change(&root)
    }
  }

  /// Changes the clients of a root that has objects on the bus.
  ///
  /// - Returns: the result of `change`; nil if there is no such root.
  func updateClients<Result>(of name: String, _ change: (inout RootClients) -> Result) -> Result? {
    if let result = update(name, { change(&$0.clients) }) { return result }
    stamp += 1
    return held.updateClients(of: name, change)
  }

  /// Removes a client that has left the bus from the roots that it was tied to.
  ///
  /// - Parameters:
  ///   - sender: the client's unique name.
  ///   - attached: the names of the trees that it was attached to.
  ///   - awaited: the names of the roots whose end it waited for.
  func removeClient(_ sender: String, attachedTo attached: Set<String>, awaiting awaited: Set<String>) {
    for name in attached { _ = updateClients(of: name) { $0.renderers[sender] = nil } }
    for name in awaited { _ = updateClients(of: name) { $0.waiters.removeAll { $0.call.sender == sender } } }
  }

  /// Makes a live root an ended one, and forgets the oldest ended roots beyond the limit.
  ///
  /// - Parameters:
  ///   - name: the name of the root.
  ///   - outcome: its outcome.
  /// - Returns: the root before its end; nil if it was not live.
  func hasEnded(_ name: String, _ outcome: ToldOutcome) -> LiveRoot? {
    guard let root = live.removeValue(forKey: name) else { return nil }
    stamp += 1
    quotas.end(name, by: root.request.client)
    ended.remember(
      EndedRoot(
        path: root.state.root, flow: root.request.flow, asked: root.request.digest, hasToken: root.request.token != nil,
        outcome: outcome, requests: root.state.requests))
    return root
  }

  // MARK: Restoring

  /// Returns the data that the journal stores for a root that is being started.
  ///
  /// - Parameters:
  ///   - name: the name of the root.
  ///   - bus: the id of the bus to which the caller's unique name belongs.
  /// - Returns: the data; nil if the root is not being started.
  func stored(_ name: String, bus: String) -> StoredRoot? {
    guard let root = starting[name] else { return nil }
    let request = root.request
    return StoredRoot(
      name: name, sequence: root.sequence, lastNumber: lastNumber, flow: request.flow, digest: request.digest,
      hasToken: request.token != nil, owner: request.endsWithCaller ? .init(name: request.sender, bus: bus) : nil,
      timeout: request.timeout)
  }

  /// Loads the roots that a previous daemon has stored.
  func load(_ stored: StoredRoots) {
    lastNumber = max(lastNumber, stored.lastNumber)
    let sequences = stored.live.map(\.sequence) + stored.ended.map(\.root.sequence) + stored.damaged.map(\.sequence)
    lastSequence = max(lastSequence, stored.lastSequence, sequences.max() ?? 0)
    restoring = Dictionary(stored.live.map { ($0.name, $0.flow) }, uniquingKeysWith: { $1 })
    lastTransitions = stored.last.mapValues { LastTransition($0.occasion, at: $0.time) }
    for end in stored.ended {
      ended.remember(
        EndedRoot(
          path: CoordinatorPath(root: end.root.name), flow: end.root.flow, asked: end.root.digest, hasToken: end.root.hasToken,
          outcome: ToldOutcome(outcome: end.outcome), requests: RequestLedger(readable: end.requests)))
    }
    for root in stored.damaged { held.hold(HeldRoot(root)) }
  }

  /// Makes a restored root live.
  ///
  /// - Returns: the live root, and the held root that it replaces, if it was held; nil if the root was not expected.
  func hasRestored(_ stored: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> (root: LiveRoot, before: HeldRoot?)? {
    let before = held.letGo(stored.name)
    if before == nil {
      guard restoring.removeValue(forKey: stored.name) != nil else { return nil }
      if let owner = stored.owner { quotas.start(by: owner.name) }
    }
    let request = StartRequest(
      flow: stored.flow, input: state.coordinators[state.root]?.input ?? [:], token: stored.hasToken ? stored.name : nil,
      sender: stored.owner?.name ?? "", client: stored.owner?.name ?? "", endsWithCaller: stored.owner != nil,
      timeout: stored.timeout, digest: stored.digest)
    stamp += 1
    let root = LiveRoot(
      name: stored.name, sequence: stored.sequence, request: request, tree: tree, stamp: stamp, state: state,
      last: before?.last ?? lastTransitions.removeValue(forKey: stored.name), clients: before?.clients ?? RootClients())
    live[stored.name] = root
    quotas.set(stored.name, of: request.client, to: state.inputSize)
    return (root, before)
  }

  /// Holds a root whose tree cannot be restored.
  ///
  /// - Parameters:
  ///   - stored: the stored data of the root.
  ///   - outline: the known part of its tree; nil if nothing could be read.
  ///   - reason: the reason.
  /// - Returns: the previous value if the root was held before.
  func hold(_ stored: StoredRoot, _ outline: TreeOutline?, reason: String) -> HeldRoot? {
    stamp += 1
    guard restoring.removeValue(forKey: stored.name) != nil else { return held.holdAgain(stored.name, outline, reason: reason) }
    if let owner = stored.owner { quotas.start(by: owner.name) }
    var root = HeldRoot(stored, outline, reason: reason)
    root.last = lastTransitions.removeValue(forKey: stored.name)
    held.hold(root)
    return nil
  }

  /// Makes a held root, which was dismissed and whose end is stored, an ended one.
  ///
  /// - Parameters:
  ///   - name: the name of the root.
  ///   - requests: the stored answers.
  /// - Returns: the root before its end.
  func heldHasEnded(_ name: String, _ requests: RequestLedger) -> HeldRoot? {
    guard let root = held.hasEnded(name) else { return nil }
    stamp += 1
    quotas.end(name, by: root.owner?.name ?? "")
    let stored = root.asStored
    ended.remember(
      EndedRoot(
        path: root.path, flow: root.flow, asked: stored.digest, hasToken: stored.hasToken,
        outcome: ToldOutcome(outcome: .cancelled), requests: requests))
    return root
  }

  // MARK: Held roots

  /// Marks a held root as ending; see ``HeldRoots/beginEnd(_:)``.
  func beginEnd(ofHeld name: String) -> HeldRoot? { held.beginEnd(name) }

  /// Makes a call wait until the end of a held root is stored or has failed.
  func wait(_ call: IncomingCall, forHeld name: String) { held.wait(call, for: name) }

  /// Marks a root whose end could not be stored as held again.
  ///
  /// - Returns: the calls that waited.
  func heldHasNotEnded(_ name: String) -> [IncomingCall] { held.hasNotEnded(name) }

  // MARK: Limits

  /// Applies other limits to the memory that inputs take up.
  func limitInputs(_ limits: DaemonLimits) { quotas.limitInputs(limits) }

  /// Stops counting the flows that a client has started, because it has left the bus.
  func forgetStarts(of client: String) { quotas.forget(client) }

  /// Returns whether a client that is on the bus has started a flow that has not ended.
  func hasStarts(of client: String) -> Bool { quotas.hasStarts(of: client) }
}

extension Optional {
  /// Changes the wrapped value in place.
  fileprivate mutating func mutate<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
    guard var value = self else { return nil }
    self = nil
    defer { self = value }
    return change(&value)
  }
}
