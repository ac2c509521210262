import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Hardening
import Logging
import Platform

/// Hosts flow trees on a bus. Connects the parts that read calls, make decisions, run trees, and announce changes.
///
/// Shares the connection's executor, so that messages are sent in order and without switching threads. Never waits for a tree:
/// calls are posted to the tree's queue, and reads return the last published state.
actor FlowHost {
  /// The services that the host and its parts share.
  nonisolated let services: HostServices
  private let parts: HostParts

  nonisolated var unownedExecutor: UnownedSerialExecutor { services.connection.unownedExecutor }

  init(
    connection: Connection, catalogue: FlowCatalogue, configuration: DaemonConfiguration, busID: String, logger: Logger,
    serviceManager: ServiceManager? = nil, clock: MachineClock = .system
  ) {
    services = HostServices(
      connection: connection, catalogue: catalogue, configuration: configuration, busID: busID, logger: logger,
      serviceManager: serviceManager, clock: clock)
    parts = HostParts(of: services, configuration)
    services.entry.lead(to: self)
  }

  // MARK: Parts

  nonisolated var connection: Connection { services.connection }
  nonisolated var log: FlowLog { services.log }
  nonisolated var bus: BusSender { services.bus }
  nonisolated var provider: BusProvider { services.provider }
  nonisolated var status: ServiceStatus { services.status }
  nonisolated var busID: String { services.busID }
  nonisolated var idleTimes: IdleTimes? { services.idleTimes }
  var roots: RootRegistry { parts.roots }
  /// A reader of calls that applies the current limits.
  var reader: CallReader { parts.settings.reader }

  /// Runs a closure with the parts of the host. The caller must already run on the host's executor.
  nonisolated func enter<Result: Sendable>(_ body: @Sendable (HostParts) -> Result) -> Result {
    assumeIsolated { body($0.parts) }
  }

  /// Runs a closure with the parts of the host, on its executor.
  func run<Result: Sendable>(_ body: @Sendable (HostParts) -> Result) -> Result { body(parts) }

  // MARK: Trees

  /// Returns the live root that an object belongs to.
  func liveRoot(of path: CoordinatorPath) -> LiveRoot? { roots.live[String(path.root)] }

  /// Returns the root that an object belongs to, whether it is live or held.
  func hostedRoot(of path: CoordinatorPath) -> HostedRoot? { roots.hosted(String(path.root)) }

  /// Handles a call on a held tree.
  func post(_ call: IncomingCall, _ request: TreeRequest, toHeld root: HeldRoot) {
    parts.heldTrees.post(call, request, to: root)
  }

  /// Restores all trees after a restart. Runs concurrently with the event loop.
  ///
  /// - Parameter journal: the journal to restore from, which also stores everything from now on.
  /// - Throws: `JournalError` if the roots cannot be read.
  nonisolated func restore(from journal: Journal) async throws(JournalError) {
    try await HostRestorer(host: self).restore(from: journal)
  }

  // MARK: Beginning

  /// Creates the alarms that serve all deadlines and timers.
  ///
  /// - Returns: whether the system provided the timers.
  func makeAlarms() -> Bool {
    parts.deadlines.makeAlarms(on: connection.loop) { [entry = services.entry] kind in
      entry.enter { $0.alarmHasGoneOff(kind) }
    }
  }

  /// Reads the provider files and applies their contents.
  func readProviderFiles() async {
    let reading = parts.providerFiles.begin()
    parts.providerFiles.apply(await reading.files(), reading)
  }

  /// Reads the provider files again when their directories change.
  func watchProviderFiles() { parts.providerFiles.watchDirectories() }

  /// Has the program started that serves scripts, if there are any.
  func startScriptProgram() { parts.scripts.start() }

  /// Applies the settings that can change, while flows are live.
  ///
  /// - Parameter source: the source of the configuration. Its latest configuration is read here, because calls of this
  ///   method may overtake each other.
  func adoptConfiguration(from source: RunningHost) {
    guard let latest = source.configuration else { return }
    parts.adopt(latest)
    let configuration = parts.settings.configuration
    connection.assumeIsolated { [limits = configuration.limits.ofMessages(on: configuration.bus)] in $0.limitCalls(limits) }
    services.handlers.change(deadline: configuration.handlerDeadline)
  }

  /// Called when a spare thread has taken over the loop.
  nonisolated func loopWasTakenOver() {
    connection.loop.post { self.enter { $0.stuckTrees.logBusy() } }
  }

  // MARK: Ending

  /// Answers the calls that have arrived, and prevents flows from being started. Stored flows continue in the next
  /// daemon.
  func close() async {
    // The limit keeps a stuck handler from delaying the end of the daemon. During the restoration, waiting is useless: calls
    // that wait for trees to be restored will not be answered.
    if parts.heldBack.isDone { await connection.answerCalls(for: .seconds(3)) }
    parts.ending.close()
    if !roots.isEmpty { services.environments.journal?.note(services.clock.elapsed) }
  }

  /// Ends all flows, newest first, and waits until their ends are announced on the bus. Used when nothing is persisted,
  /// so that no flow would outlive the daemon anyway.
  func endAll() async {
    parts.ending.endAll()
    for root in roots.liveInOrder.reversed() { root.tree.close(isTimeout: false) }
    guard !roots.live.isEmpty else { return }
    // A stuck handler must not delay the end of the daemon.
    connection.loop.schedule(after: .seconds(5)) { self.enter { $0.ending.resumeWaiters() } }
    await withCheckedContinuation { parts.ending.wait($0) }
  }

  /// Whether the daemon can end without leaving a flow or an unanswered call behind.
  var isIdle: Bool { parts.activity.isIdle }

  /// Called when the daemon continues to serve although it was idle.
  func activityHasChanged() { parts.activity.hasChanged() }

  /// Continues to serve although the service manager was notified that the daemon is stopping.
  func goOn() { parts.activity.goOn() }
}

extension FlowHost: TreeObserver {
  func publish(_ publication: Publication) { parts.announcer.publish(publication) }

  func note(_ publication: Publication) { parts.announcer.note(publication) }

  func publish(live: [Publication.Updated], of state: TreeState) { parts.announcer.publish(live: live, of: state) }

  /// Announces progress. Progress is not part of a transition: it is sent separately, and merged into the published
  /// screens that clients read.
  nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {
    guard let delay = services.progress.note(progress, on: screen, of: root) else { return }
    connection.loop.schedule(after: delay) { self.enter { $0.announcer.tellProgress(of: root) } }
  }
}

/// Looks up objects when they are called.
extension FlowHost: ObjectSource {
  nonisolated var objectManagerPath: ObjectPath? { Contract.rootPath }

  nonisolated func object(at path: ObjectPath) -> (any ExportedObject)? {
    switch enter({ $0.roots.object(at: path) }) {
    case .manager: ManagerObject(host: self)
    case .router(let root): RouterObject(host: self, root: root)
    case .coordinator(let path): CoordinatorObject(host: self, path: path)
    case nil: nil
    }
  }

  nonisolated func childNames(of path: ObjectPath) -> [String] { enter { $0.roots.names(below: path) } }

  nonisolated func managedPaths() -> [ObjectPath] { enter { $0.roots.objectPaths } }

  nonisolated func managedSize() -> Int { enter { $0.roots.roughSize } }

  nonisolated func visible(to call: IncomingCall) -> any ObjectSource {
    let hidden = enter { $0.access.flows(hiddenFrom: call) }
    return hidden.isEmpty ? self : VisibleObjects(host: self, hidden: hidden)
  }

  nonisolated var managedStamp: UInt64 { enter { $0.roots.stamp } }

  /// Checks request keys before the object is looked up, so that a repeated call is answered even if its object is
  /// gone.
  nonisolated func intercept(_ call: IncomingCall) -> Bool { assumeIsolated { $0.takeIn(call) } }

  private func takeIn(_ call: IncomingCall) -> Bool {
    parts.activity.called()
    return parts.heldBack.holdsBack(call, reader) || parts.access.refuses(call) || answerForGoneObject(call)
  }
}

/// The objects that a caller sees if some flows are hidden from the caller.
struct VisibleObjects: ObjectSource {
  let host: FlowHost
  /// The flows whose trees are hidden.
  let hidden: Set<String>

  var objectManagerPath: ObjectPath? { host.objectManagerPath }
  var managedStamp: UInt64 { host.managedStamp }
  // Names may contain spaces and commas, which a description quotes.
  var managedView: String { "without \(hidden.sorted())" }

  func object(at path: ObjectPath) -> (any ExportedObject)? { host.object(at: path) }
  func childNames(of path: ObjectPath) -> [String] { host.enter { $0.roots.names(below: path, hiding: hidden) } }
  func managedPaths() -> [ObjectPath] { host.enter { $0.roots.objectPaths(hiding: hidden) } }
  func managedSize() -> Int { host.enter { $0.roots.roughSize(hiding: hidden) } }
}

/// Gives code outside the host access to the host of a daemon while it runs.
final class RunningHost: Sendable {
  private struct State: Sendable {
    var host: FlowHost?
    /// The configuration that was last read; nil if there was no reload since the start.
    var configuration: DaemonConfiguration?
  }

  private let state = Lock(State())

  /// The configuration that the last reload read; nil if there was none.
  var configuration: DaemonConfiguration? { state.withLock { $0.configuration } }

  /// Whether a host is serving.
  var isServing: Bool { state.withLock { $0.host != nil } }

  /// Sets the host, which is serving, and applies a configuration that was reloaded before.
  func begin(_ host: FlowHost) async {
    state.withLock { $0.host = host }
    await host.adoptConfiguration(from: self)
  }

  /// Removes the host.
  func end() { state.withLock { $0.host = nil } }

  /// Sets a new configuration, and applies it to the host if there is one, which then reads its provider files again.
  func reload(_ configuration: DaemonConfiguration) async {
    let host = state.withLock { state in
      state.configuration = configuration
      return state.host
    }
    await host?.adoptConfiguration(from: self)
    await host?.readProviderFiles()
  }
}

/// Passes calls on to the trees.
extension FlowHost {
  /// Posts a call to its tree, whose answer becomes the reply.
  ///
  /// - Parameters:
  ///   - call: the call, whose argument types have been checked.
  ///   - path: the path of a coordinator of the tree.
  func post(_ call: IncomingCall, to path: CoordinatorPath) {
    // A call that cannot be read may have contained a secret.
    var isConfidential = true
    defer { if isConfidential { bus.forgetReceivedBytes() } }
    do throws(DBusError) {
      let request = try reader.treeRequest(call.member, call.arguments, at: path)
      let asked = request.call
      if request.isForced, let error = parts.access.refusal(ofForceBy: call) { throw error }
      if answerRepeated(call, request, in: path.root) { return }
      if let error = roots.refusal(of: asked, to: String(path.root)) { throw error }
      let root = liveRoot(of: path)
      let mayHoldSecret = asked.mayHoldSecret(for: root?.state)
      isConfidential = mayHoldSecret
      if root == nil, let held = roots.held[String(path.root)] { return post(call, request, toHeld: held) }
      guard let root else { throw CallError.unknownCoordinator(path).dbusError }
      guard !provider.wouldWait(call.sender, for: root.state) else { throw .wouldWait }
      root.tree.post(asked, key: request.key, caller: call.caller(request.way, among: root.clients)) { [connection] in
        call.answer($0, to: asked)
        if case .failure(let error) = $0 { self.log.logRefusal(of: call, at: path, error) }
        if mayHoldSecret { connection.loop.post(ProcessHardening.clearStack) }
      }
    } catch {
      call.fail(error)
    }
  }

  /// Answers a repeated call with a request key whose object is gone, from the published state, which contains the answer.
  /// An object that is there answers the calls that are repeated to it.
  ///
  /// - Returns: whether the call was answered.
  func answerForGoneObject(_ call: IncomingCall) -> Bool {
    guard CallReader.hasRequestKey(call.arguments), let path = CoordinatorPath(objectPath: call.path),
      roots.object(at: call.path) == nil,
      let request = reader.keyedRequest(call.interface, call.member, call.arguments, at: path)
    else { return false }
    return answerRepeated(call, request, in: path.root)
  }

  /// Answers a call with the stored answer to its first arrival.
  ///
  /// - Returns: whether there is such an answer, or the request key is that of another call.
  private func answerRepeated(_ call: IncomingCall, _ request: TreeRequest, in root: Substring) -> Bool {
    guard let key = request.key, let requests = roots.requests(of: String(root)) else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: request.call, key: key) else { return false }
      call.answer(kept.result, to: request.call)
    } catch {
      call.fail(error.dbusError)
    }
    return true
  }
}

extension TreeCall {
  /// Returns whether the call may contain the value of a secret field, even if it is refused because the screen is
  /// gone.
  ///
  /// - Parameter state: the last published state of the tree; nil if unknown.
  /// - Returns: whether it may.
  func mayHoldSecret(for state: TreeState?) -> Bool {
    switch self {
    case .delegate(_, let id, _, let payload, _): Self.mayHoldSecret(payload, of: id, in: state)
    // Secret values in a draft are refused, but they have been sent.
    case .saveDraft(let id, let values): Self.mayHoldSecret(values, of: id, in: state)
    case .back, .dismiss, .startChild, .proposeLanguage: false
    }
  }

  private static func mayHoldSecret(_ values: [String: JSONValue], of id: ScreenID?, in state: TreeState?) -> Bool {
    guard !values.isEmpty else { return false }
    guard let id, let screen = state?.window[id] else { return true }
    return screen.content.form?.schema.secretFields.isEmpty == false
  }
}
