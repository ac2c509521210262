import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// The trees that must still be restored after a restart, and the calls that wait for them.
///
/// A value that makes decisions; the host acts on them. `Call` is the type of a waiting call.
struct Restoration<Call: Sendable>: Sendable {
  private enum Phase: Sendable {
    case reading
    case restoring
    case done
  }

  private var phase: Phase
  private var pending: [String: StoredRoot] = [:]
  /// The names of the pending trees that are being restored.
  private var underWay: Set<String> = []
  /// The names in the order in which the roots were started. Some may be restored already.
  private var order: ArraySlice<String> = []
  /// The names of trees that calls wait for.
  private var urgent: [String] = []
  private var waitingForNames: [Call] = []
  private var waitingForEverything: [Call] = []
  private var waiting: [String: [Call]] = [:]

  /// Creates a restoration. Without a journal, there is nothing to restore, and the restoration is done.
  init(hasJournal: Bool) { phase = hasJournal ? .reading : .done }

  /// Whether everything has been restored.
  var isDone: Bool { if case .done = phase { true } else { false } }

  /// Returns whether a call must wait for data that it needs.
  func isMissing(_ need: RestorationNeed) -> Bool {
    switch (phase, need) {
    case (.done, _), (_, .nothing): false
    case (.reading, _): true
    case (.restoring, .names): false
    case (.restoring, .root(let name)): pending[name] != nil
    case (.restoring, .everything): true
    }
  }

  /// Keeps a call until the data that it needs has been restored.
  mutating func hold(_ call: Call, for need: RestorationNeed) {
    switch (phase, need) {
    case (_, .everything): waitingForEverything.append(call)
    case (.restoring, .root(let name)):
      if waiting[name] == nil { urgent.append(name) }
      waiting[name, default: []].append(call)
    default: waitingForNames.append(call)
    }
  }

  /// Starts restoring roots.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func begin(_ roots: [StoredRoot]) -> [Call] {
    phase = .restoring
    pending = Dictionary(roots.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    order = roots.map(\.name)[...]
    defer { waitingForNames = [] }
    return waitingForNames
  }

  /// Returns the roots to restore next, those that calls wait for first; empty if none is left.
  mutating func next(_ count: Int) -> [StoredRoot] {
    var result: [StoredRoot] = []
    func take(_ name: String) {
      if let root = pending[name], underWay.insert(name).inserted { result.append(root) }
    }
    urgent.forEach(take)
    urgent = []
    while result.count < count, let name = order.popFirst() { take(name) }
    return result
  }

  /// Removes a tree that has been restored or held.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func hasEnded(_ name: String) -> [Call] {
    pending[name] = nil
    underWay.remove(name)
    return waiting.removeValue(forKey: name) ?? []
  }

  /// Ends the restoration.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func end() -> [Call] {
    phase = .done
    (pending, order) = ([:], [])
    let calls = waitingForNames + waiting.sorted { $0.key < $1.key }.flatMap(\.value) + waitingForEverything
    (waitingForNames, waiting, waitingForEverything) = ([], [:], [])
    return calls
  }
}

/// The calls that wait after a restart until the data that they need has been restored. Used only on the host's executor.
final class HeldBackCalls {
  private var restoration: Restoration<IncomingCall>
  private let connection: Connection

  /// Creates an empty queue. Without a journal, no call waits.
  init(hasJournal: Bool, connection: Connection) {
    restoration = Restoration(hasJournal: hasJournal)
    self.connection = connection
  }

  /// Whether everything has been restored.
  var isDone: Bool { restoration.isDone }

  /// Returns whether a call must wait for data that it needs.
  func isMissing(_ need: RestorationNeed) -> Bool { restoration.isMissing(need) }

  /// Keeps a call until the data that it needs has been restored.
  func hold(_ call: IncomingCall, for need: RestorationNeed) { restoration.hold(call, for: need) }

  /// Holds back a call to an object that needs data that has not been restored yet.
  ///
  /// - Parameters:
  ///   - call: a call that has just arrived.
  ///   - reader: determines the data that the call needs.
  /// - Returns: whether the call is held back.
  func holdsBack(_ call: IncomingCall, _ reader: @autoclosure () -> CallReader) -> Bool {
    guard !isDone else { return false }
    let need = reader().need(of: call.member, at: call.path, call.arguments)
    guard isMissing(need) else { return false }
    hold(call, for: need)
    return true
  }

  /// Starts restoring roots, and delivers the calls that waited for their names.
  func begin(_ roots: [StoredRoot]) { deliver(restoration.begin(roots)) }

  /// Returns the roots to restore next, those that calls wait for first; empty if none is left.
  func next(_ count: Int) -> [StoredRoot] { restoration.next(count) }

  /// Delivers the calls that waited for a tree that has been restored or held.
  func hasEnded(_ name: String) { deliver(restoration.hasEnded(name)) }

  /// Ends the restoration, and delivers all calls that still wait.
  func end() { deliver(restoration.end()) }

  /// Carries out calls that waited, in order, as if they had just arrived.
  func deliver(_ calls: [IncomingCall]) {
    guard !calls.isEmpty else { return }
    connection.assumeIsolated { connection in
      for call in calls { connection.deliver(call) }
    }
  }
}

/// The data that must have been restored after a restart before a call can be answered.
enum RestorationNeed: Sendable, Hashable {
  case nothing
  /// The names of all live and ended roots.
  case names
  /// One tree.
  case root(String)
  /// All trees.
  case everything
}

/// Makes the trees of a previous daemon live while the host serves (rule 10). A call for a tree that has not been restored
/// yet waits for it. A tree that cannot be restored is held. Used only on the host's executor.
final class RestoredTrees {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let heldBack: HeldBackCalls
  private let access: AccessPolicy
  private let clients: ClientWatch
  private let deadlines: Deadlines
  private let activity: HostActivity
  private let environments: TreeEnvironments
  private let bus: BusSender
  private let provider: BusProvider
  private let providedFlows: ProvidedFlows
  private let log: FlowLog
  private let busID: String

  /// Creates the part, without restored trees.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the rules that restrict flows.
  ///   - roots: keeps the trees.
  ///   - heldBack: keeps the calls that wait.
  ///   - access: decides which clients may receive a tree's signals.
  ///   - clients: watches the callers whose flows end with them.
  ///   - deadlines: keeps the timeouts of flows.
  ///   - activity: tracks the number of flows and renderers.
  init(
    of host: HostServices, settings: HostSettings, roots: RootRegistry, heldBack: HeldBackCalls, access: AccessPolicy,
    clients: ClientWatch, deadlines: Deadlines, activity: HostActivity
  ) {
    self.settings = settings
    (environments, bus, log, busID) = (host.environments, host.bus, host.log, host.busID)
    (provider, providedFlows) = (host.provider, host.providedFlows)
    (self.roots, self.heldBack, self.access, self.clients) = (roots, heldBack, access, clients)
    (self.deadlines, self.activity) = (deadlines, activity)
  }

  /// Loads the stored roots.
  ///
  /// - Returns: the roots to restore first.
  func begin(_ stored: StoredRoots) -> [StoredRoot] {
    let (stored, nameless) = stored.divided()
    for name in nameless { log.logNameless(name) }
    settings.close(kept: stored.closed, in: environments.journal)
    roots.load(stored)
    for root in roots.held.all.sorted(by: { $0.sequence < $1.sequence }) {
      log.logHeld(root.name, flow: root.flow, reason: root.reason)
    }
    heldBack.begin(stored.live)
    return heldBack.next(TreeRestorer.batch)
  }

  /// Makes restored trees live, and holds those that cannot be restored.
  ///
  /// - Parameter results: the results.
  /// - Returns: the number of trees that were restored; and the roots to restore next after a restart, none if the
  ///   current task is cancelled because the daemon is ending.
  func take(_ results: [RestoringAttempt.Entry]) -> (takenUp: Int, next: [StoredRoot]) {
    var count = 0
    for (root, result) in results {
      switch result {
      case .takenUp(let tree, let state): count += hasRestored(root, tree, state) ? 1 : 0
      case .held(let outline, let reason): hold(root, outline, reason: reason)
      }
      heldBack.hasEnded(root.name)
    }
    return (count, Task.isCancelled ? [] : heldBack.next(TreeRestorer.batch))
  }

  private func hasRestored(_ root: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> Bool {
    closeFlowsOfRoot(state)
    guard let (live, before) = roots.hasRestored(root, tree, state) else { return false }
    if let before {
      bus.send(
        Announcement.difference(between: before, and: .live(live)), to: access.hearers(of: root.flow, live.clients.renderers))
      log.logRestoredAgain(root)
    }
    if providedFlows.isUsed { provider.note(state, at: state.coordinators.keys) }
    if let timeout = root.timeout {
      let startedAt = state.coordinators[state.root]?.startedAt ?? 0
      let continued = timeout.continued(from: startedAt, since: environments.startOfMachine)
      deadlines.setEnd(of: .timeout(root.name), continued.lapse?.end)
    }
    if let owner = root.owner { bind(live, to: owner) }
    if !live.clients.renderers.isEmpty { tree.set(hasRenderer: true) }
    if state.hasToResume { Task(executorPreference: globalConcurrentExecutor) { await tree.resume() } }
    return true
  }

  /// Closes the flows that have run as root, even if no provider file names them any more.
  private func closeFlowsOfRoot(_ state: TreeState) {
    guard settings.isSystem else { return }
    let coordinators = state.coordinators.values.filter { $0.server == Contract.scriptsOfRootName }
    settings.close(coordinators.map(\.flow), in: environments.journal)
  }

  /// Ends a root when its caller leaves the bus. If the caller left while no daemon was running, ends the root now.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return root.tree.closeInTurn(isTimeout: false) }
    clients.track(owner.name)
    _ = clients.bind(root.name, to: owner.name)
  }

  private func hold(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    let before = roots.hold(root, outline, reason: reason)
    // The tree may have been dismissed during the attempt.
    guard let after = roots.held[root.name] else { return }
    if let before {
      return bus.send(
        Announcement.difference(between: before, and: .held(after)), to: access.hearers(of: root.flow, after.clients.renderers))
    }
    // The caller is watched nevertheless: once it leaves, its flows no longer count against its limit.
    if let owner = root.owner, owner.bus == busID { clients.track(owner.name) }
    log.logHeld(root.name, flow: root.flow, reason: reason)
  }

  /// Ends the restoration.
  func end() {
    heldBack.end()
    activity.hasChanged()
  }
}

extension StoredRoots {
  /// Separates the roots whose names cannot be object paths, because another program has changed them.
  ///
  /// - Returns: the other roots; and the separated names, whose stored data does not change.
  func divided() -> (addressable: StoredRoots, nameless: [String]) {
    func canBeNamed(_ name: String) -> Bool { (try? Contract.flowPath(root: name)) != nil }
    var rest = self
    rest.live.removeAll { !canBeNamed($0.name) }
    rest.damaged.removeAll { !canBeNamed($0.name) }
    return (rest, (live.map(\.name) + damaged.map(\.name)).filter { !canBeNamed($0) })
  }
}
