import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("The registry of root coordinators", .timeLimit(.minutes(5)))
struct RootRegistryTests {
  private func request(_ flow: String = "notebook", token: String? = nil, client: String = ":1.1") -> StartRequest {
    StartRequest(
      flow: flow, input: [:], token: token, sender: client, client: client, endsWithCaller: false, timeout: nil,
      digest: StartRequest.digest(flow: flow, input: [:]))
  }

  /// Returns the registry's decision on a request, in one line.
  private func admit(_ request: StartRequest, to box: Box<RootRegistry>) -> String {
    do throws(DBusError) {
      return switch try box.value.admit(request, element: { () throws(DBusError) in "notebook" }) {
      case .start(let name): "start \(name)"
      case .isStarting(let name): "starting \(name)"
      case .isLive(let root): "live \(root.name)"
      case .isRestoring(let name): "restoring \(name)"
      case .isHeld(let name): "held \(name)"
      case .hasEnded(let root): "ended \(root.path)"
      case .refuse(let error): String(error.name.split(separator: ".").last ?? "")
      }
    } catch {
      return error.message
    }
  }

  /// Starts a root that was admitted.
  private func start(_ name: String, in box: Box<RootRegistry>) async throws {
    let flow = try await TestFlow.start("notebook", in: .old(), root: name)
    box.value.setTree(flow.tree, of: name)
    let state = await flow.tree.state
    try #require(box.value.hasStarted(state) != nil)
  }

  @Test("A name is never used twice, also after the root has ended")
  func namesAreNeverReused() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    #expect(admit(request(), to: box) == "start notebook_1")
    try await start("notebook_1", in: box)
    #expect(box.value.hasEnded("notebook_1", ToldOutcome(outcome: .cancelled)) != nil)
    #expect(admit(request(), to: box) == "start notebook_2")
  }

  @Test("A token answers for its flow while that is starting, lives, and has ended, and for no other flow")
  func tokenAnswersForItsFlow() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    #expect(admit(request(token: "t"), to: box) == "start t")
    #expect(admit(request(token: "t"), to: box) == "starting t")
    #expect(admit(request("other", token: "t"), to: box) == "TokenInUse")
    try await start("t", in: box)
    #expect(admit(request(token: "t"), to: box) == "live t")
    _ = box.value.hasEnded("t", ToldOutcome(outcome: .cancelled))
    #expect(admit(request(token: "t"), to: box) == "ended t")
    #expect(admit(request("other", token: "t"), to: box) == "TokenInUse")
  }

  @Test("A flow that did not start leaves its name, its client's count and its input free")
  func failedStartLeavesNothing() {
    var limits = DaemonLimits()
    limits.maxFlowsPerClient = 1
    let box = Box(RootRegistry(limits: limits))
    #expect(admit(request(token: "t"), to: box) == "start t")
    #expect(admit(request(), to: box) == "LimitsExceeded")
    #expect(box.value.hasNotStarted("t").isEmpty)
    #expect(box.value.quotas.inputBytes == 0)
    #expect(admit(request("other", token: "t"), to: box) == "start t")
  }

  @Test("The flows of one client are limited, and so are those of all, also while they start or come back")
  func limitsCountWhatStartsAndComesBack() {
    var limits = DaemonLimits()
    (limits.maxFlows, limits.maxFlowsPerClient) = (3, 2)
    let box = Box(RootRegistry(limits: limits))
    box.value.load(
      StoredRoots(live: [
        StoredRoot(
          name: "old", sequence: 7, lastNumber: 4, flow: "notebook", digest: StartRequest.digest(flow: "notebook", input: [:]),
          hasToken: true)
      ]))
    #expect(admit(request(token: "old"), to: box) == "restoring old")
    #expect(admit(request(), to: box).hasPrefix("start notebook_"))
    #expect(admit(request(), to: box).hasPrefix("start notebook_"))
    #expect(admit(request(), to: box) == "LimitsExceeded")
    #expect(admit(request(client: ":1.2"), to: box) == "LimitsExceeded")
  }

  @Test("A tree that cannot be restored is held under its token, and continues when it can be")
  func heldTreeKeepsItsToken() async throws {
    let stored = StoredRoot(
      name: "old", sequence: 7, lastNumber: 4, flow: "notebook", digest: StartRequest.digest(flow: "notebook", input: [:]),
      hasToken: true)
    let box = Box(RootRegistry(limits: DaemonLimits()))
    box.value.load(StoredRoots(live: [stored]))
    #expect(box.value.hold(stored, nil, reason: "its flow is gone") == nil)
    #expect(admit(request(token: "old"), to: box) == "held old")
    #expect(box.value.activeCount == 1)
    let flow = try await TestFlow.start("notebook", in: .old(), root: "old")
    let state = await flow.tree.state
    let back = box.value.hasRestored(stored, flow.tree, state)
    #expect(back?.before?.reason == "its flow is gone")
    #expect(admit(request(token: "old"), to: box) == "live old")
    #expect(box.value.hasRestored(stored, flow.tree, state) == nil)
  }

  @Test("The newest ended roots are remembered, and the oldest are forgotten")
  func oldestEndsAreForgotten() async throws {
    var limits = DaemonLimits()
    limits.maxOutcomes = 2
    let box = Box(RootRegistry(limits: limits))
    for name in ["a", "b", "c"] {
      #expect(admit(request(token: name), to: box) == "start \(name)")
      try await start(name, in: box)
      _ = box.value.hasEnded(name, ToldOutcome(outcome: .cancelled))
    }
    #expect(box.value.ended.names == ["b", "c"])
    #expect(admit(request(token: "a"), to: box) == "start a")
  }

  @Test("The objects are those of live and held roots, and the manager's")
  func objectsFollowTheRoots() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    #expect(box.value.names(below: Contract.rootPath).isEmpty)
    #expect(admit(request(token: "t"), to: box) == "start t")
    let path = CoordinatorPath(root: "t")
    #expect(box.value.object(at: path.objectPath) == nil)
    try await start("t", in: box)
    box.value.load(
      StoredRoots(damaged: [DamagedRoot(name: "broken", sequence: 2, flow: "", hasToken: true, reason: "it has no flow")]))
    #expect(box.value.object(at: Contract.rootPath) == .manager)
    #expect(box.value.object(at: path.objectPath) == .coordinator(path))
    #expect(box.value.object(at: path.routerPath) == .router(path))
    #expect(box.value.object(at: CoordinatorPath(root: "u").objectPath) == nil)
    #expect(box.value.names(below: Contract.flowsPath) == ["broken", "t"])
    #expect(box.value.names(below: path.objectPath) == [Contract.routerElement])
    #expect(Set(box.value.objectPaths).count == 5)
    #expect(box.value.objectPaths.last == Contract.rootPath)
    _ = box.value.hasEnded("t", ToldOutcome(outcome: .cancelled))
    #expect(box.value.object(at: path.objectPath) == nil)
  }

  @Test("The answers of a root are found while it lives, and after its end")
  func answersOutliveTheRoot() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    #expect(box.value.requests(of: "t") == nil)
    #expect(admit(request(token: "t"), to: box) == "start t")
    try await start("t", in: box)
    #expect(box.value.requests(of: "t") != nil)
    _ = box.value.hasEnded("t", ToldOutcome(outcome: .cancelled))
    #expect(box.value.requests(of: "t") != nil)
  }

  @Test("Progress of a screen that shows none is not announced, and that of an unknown tree is refused")
  func progressNeedsItsScreen() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    let progress = [ScreenID(1): Progress(fraction: 0.5)]
    #expect(box.value.show(progress, of: CoordinatorPath(root: "t")) == nil)
    #expect(admit(request(token: "t"), to: box) == "start t")
    try await start("t", in: box)
    let stamp = box.value.stamp
    #expect(box.value.show(progress, of: CoordinatorPath(root: "t"))?.count == 0)
    #expect(box.value.stamp == stamp)
  }

  @Test("The reason for the cancellation of a root stays as it was when the root ended")
  func reasonIsFixedAtTheEnd() async throws {
    let box = Box(RootRegistry(limits: DaemonLimits()))
    for (name, wasStopped) in [("left", false), ("stopped", true)] {
      #expect(admit(request(token: name), to: box) == "start \(name)")
      try await start(name, in: box)
      let end = ToldOutcome(outcome: .cancelled, wasStopped: wasStopped)
      #expect(box.value.hasEnded(name, end) != nil)
      #expect(try box.value.outcome(of: CoordinatorPath(root: name)) == .ended(end))
    }
  }
}
