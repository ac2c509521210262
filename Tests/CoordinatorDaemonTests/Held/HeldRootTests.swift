import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("Rule 10: Held roots in the root registry", .timeLimit(.minutes(5)))
struct HeldRootTests {
  private static let path = CoordinatorPath(root: "mine")

  private func root(_ name: String = "mine", _ sequence: UInt64 = 1, owner: String? = nil) -> StoredRoot {
    StoredRoot(
      name: name, sequence: sequence, lastNumber: 0, flow: "pets", digest: StartRequest.digest(flow: "pets", input: [:]),
      hasToken: true, owner: owner.map { .init(name: $0, bus: "bus") })
  }

  private func request(_ token: String?, flow: String = "pets", sender: String = ":1.1") -> StartRequest {
    StartRequest(
      flow: flow, input: [:], token: token, sender: sender, client: sender, endsWithCaller: false,
      digest: StartRequest.digest(flow: flow, input: [:]))
  }

  private func outline(_ paths: String...) -> TreeOutline {
    TreeOutline(
      root: Self.path, revision: 9,
      coordinators: paths.map {
        .init(path: CoordinatorPath(names: $0.split(separator: "/")) ?? Self.path, flow: "pets", startedAt: 5)
      })
  }

  /// Returns the registry's decision on a request as a short string.
  private func admission(_ request: StartRequest, _ registry: inout RootRegistry) -> String {
    do {
      return switch try registry.admit(request, element: { () throws(DBusError) in throw .failed("the flow is unknown") }) {
      case .start: "start"
      case .isStarting: "starting"
      case .isLive: "live"
      case .isRestoring(let name): "restoring \(name)"
      case .isHeld(let name): "held \(name)"
      case .hasEnded: "ended"
      case .refuse(let error): String(error.name.split(separator: ".").last ?? "")
      }
    } catch {
      return error.message
    }
  }

  @Test("Rule 10: A token is known while its tree is restored or held, whether its flow is known or not")
  func heldTokenIsKnownWithoutItsFlow() throws {
    var registry = RootRegistry(limits: DaemonLimits())
    registry.load(StoredRoots(live: [root()]))
    #expect(admission(request("mine"), &registry) == "restoring mine")
    #expect(registry.hold(root(), nil, reason: "so") == nil)
    #expect(admission(request("mine"), &registry) == "held mine")
    #expect(admission(request("mine", flow: "shop"), &registry) == "TokenInUse")
    #expect(admission(request("other"), &registry) == "the flow is unknown")
    #expect(registry.activeCount == 1 && !registry.isEmpty)
    #expect(registry.heldHasEnded("mine", RequestLedger())?.name == "mine")
    #expect(admission(request("mine"), &registry) == "ended")
    #expect(registry.isEmpty)
  }

  @Test(
    "Rule 10: A root with an unreadable row is neither assumed to match a request nor to differ from it"
  )
  func damagedRootRowIsNeverGuessed() throws {
    var registry = RootRegistry(limits: DaemonLimits())
    let damaged = [
      DamagedRoot(name: "mine", sequence: 7, flow: "", hasToken: true, reason: "its digest"),
      DamagedRoot(name: "pets_3", sequence: 8, flow: "pets", hasToken: false, reason: "its digest"),
    ]
    registry.load(StoredRoots(damaged: damaged))
    #expect(admission(request("mine"), &registry) == "Held")
    #expect(admission(request("pets_3"), &registry) == "TokenInUse")
    #expect(registry.hosted("mine")?.held == "its stored state cannot be read: its digest")
    #expect(registry.held.retryable.isEmpty)
    #expect(registry.held["mine"]?.asStored.sequence == 7)
    _ = registry.heldHasEnded("mine", RequestLedger())
    #expect(admission(request("mine"), &registry) == "TokenInUse")
  }

  @Test("Rule 11: A held root counts once for its caller, and no longer after it has ended")
  func heldRootCountsOnceForItsCaller() throws {
    var limits = DaemonLimits()
    limits.maxFlowsPerClient = 1
    let registry = RootRegistry(limits: limits)
    registry.load(StoredRoots(live: [root(owner: ":1.1")]))
    _ = registry.hold(root(owner: ":1.1"), nil, reason: "so")
    _ = registry.hold(root(owner: ":1.1"), nil, reason: "so")
    func start() throws -> Bool {
      if case .start = try registry.admit(request(nil), element: { () throws(DBusError) in "pets" }) { true } else { false }
    }
    #expect(try !start())
    _ = registry.heldHasEnded("mine", RequestLedger())
    #expect(try start())
  }

  @Test("Rule 10: A held root shows its known coordinators, children in order, even below an unknown parent")
  func heldRootShowsKnownCoordinators() throws {
    let held = HeldRoot(root(), outline("mine", "mine/a_10", "mine/a_2", "mine/b_1/c_1"), reason: "so")
    #expect(held.paths.map(\.text) == ["mine", "mine/a_2", "mine/a_10", "mine/b_1/c_1"])
    #expect(held.coordinator(at: Self.path)?.children.map(\.text) == ["mine/a_2", "mine/a_10"])
    #expect(held.coordinator(at: Self.path.child("b_1")) == nil)
    let hosted = HostedRoot.held(held)
    #expect(hosted.names(below: Self.path) == ["a_10", "a_2", "b_1"])
    #expect(hosted.names(below: Self.path.child("b_1")) == ["c_1"])
    #expect(hosted.revision == 9)
    // The root is always known: its own row describes it.
    #expect(HeldRoot(root(), nil, reason: "so").coordinator(at: Self.path)?.flow == "pets")
  }

  @Test("Rule 10: A retry that could read nothing does not forget what was known before")
  func failedRetryForgetsNothing() {
    var held = HeldRoot(root(), outline("mine", "mine/a_1"), reason: "damaged")
    held.hold(nil, reason: "disk I/O error")
    #expect(held.reason == "disk I/O error")
    #expect(held.paths.count == 2)
    #expect(held.revision == 9)
  }

  @Test("Rule 10: A held root whose end is being stored is neither retried nor restored")
  func endingRootIsNotRetried() {
    var roots = HeldRoots()
    roots.hold(HeldRoot(root("b", 2), nil, reason: "so"))
    roots.hold(HeldRoot(root("a", 1), nil, reason: "so"))
    #expect(roots.retryable.map(\.name) == ["a", "b"])
    #expect(roots.beginEnd("a")?.name == "a")
    #expect(roots.beginEnd("a") == nil)
    #expect(roots.retryable.map(\.name) == ["b"])
    #expect(roots.letGo("a") == nil)
    #expect(roots.hasNotEnded("a").isEmpty)
    #expect(roots.letGo("a")?.name == "a")
    #expect(roots.beginEnd("a") == nil)
  }

  @Test("Rule 10: The end of a held tree is stored with its last revision, and the request key answers with it again")
  func dismissalKeepsItsAnswer() throws {
    let held = HeldRoot(root(), outline(), reason: "so")
    let call = TreeCall.dismiss(Self.path, animated: false)
    let end = try HeldDismissal(of: held, TreeRequest(call, key: "r"), by: Caller(name: ":1.1"), at: 7)
    #expect(end.root.name == "mine")
    #expect(try end.requests.answer(to: call, key: "r")?.result == .success(.revision(9)))
    let plain = try HeldDismissal(of: held, TreeRequest(call), by: Caller(name: ":1.1"), at: 7)
    #expect(try plain.requests.answer(to: call, key: "r") == nil)
  }
}
