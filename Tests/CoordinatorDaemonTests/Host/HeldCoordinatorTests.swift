import CoordinatorBus
import CoordinatorKit
import DBus
import Platform
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("A held coordinator of a live tree on the bus", .timeLimit(.minutes(5)))
struct HeldCoordinatorTests {
  @Test("Rule 1: Held gives the reason, its screen says so without a revision, calls are answered Held, and RetryHeld lets it go")
  func heldAndReleased() async throws {
    let echo = EchoStop()
    var catalogue = FlowCatalogue()
    try catalogue.add { Valley(echo: echo) }
    try catalogue.add { Caller() }
    let daemon = try await TestDaemon(catalogue)
    let root = try await daemon.start("valley")
    let router = try Contract.routerPath(of: root)
    let child = try ObjectPath("\(root)/caller_1")
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    let signals = try await daemon.client.signals(matching: MatchRule(type: .signal, sender: Contract.busName))
    let revision = try await daemon.property("Revision", Contract.routerInterface, at: router)
    try await daemon.delegate(child, 0, "call")
    let live = await liveMessages(signals)
    #expect(live == ["held"])
    let reason = try await daemon.property("Held", Contract.coordinatorInterface, at: child).string
    #expect(reason == "an event must not trigger more than \(Limits().maxHandlers) handlers")
    #expect(try await daemon.property("Held", Contract.coordinatorInterface, at: root) == .string(""))
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: router) == revision)
    await expectError("Held") { try await daemon.delegate(child, 2, "call") }
    #expect(try await retryHeld(daemon) == [.uint32(0), .uint32(1)])
    echo.stop()
    #expect(try await retryHeld(daemon) == [.uint32(1), .uint32(0)])
    #expect(try await daemon.property("Held", Contract.coordinatorInterface, at: child) == .string(""))
    #expect(try await daemon.screens(root).last?["messages"] == nil)
    #expect(try await daemon.screens(root).last?["title"] == .string("1 calls"))
    try await daemon.end()
  }

  private func retryHeld(_ daemon: TestDaemon) async throws -> [Value] {
    try await daemon.call(Contract.rootPath, Contract.managerInterface, "RetryHeld", [])
  }

  /// The codes of the messages in the first signal `Live`.
  private func liveMessages(_ signals: SignalSequence) async -> [String] {
    for await delivery in signals {
      guard case .signal(let signal) = delivery,
        case .live(_, let changed, _)? = RouterSignal(member: signal.member, body: signal.body)
      else { continue }
      return changed["messages"]?.elements?.compactMap { $0.vardict?["code"]?.string } ?? []
    }
    return []
  }
}

private final class EchoStop: Sendable {
  private let state = Lock(false)
  var isStopped: Bool { state.withLock(\.self) }
  func stop() { state.withLock { $0 = true } }
}

private actor Valley: Coordinator {
  static let flow = FlowDescription("valley", title: "Valley")
  enum Route: Codable { case valley }
  let context = Context()
  private let echo: EchoStop

  init(echo: EchoStop) { self.echo = echo }

  func start() throws {
    router.present(.valley)
    try startChild(Caller.self)
  }

  func screen(for route: Route) -> Screen { .message("valley", title: "Valley") }

  func childEmitted(_ output: ChildOutput) throws {
    if !echo.isStopped { try send(.echo, to: output.child, of: Caller.self) }
  }
}

private actor Caller: Coordinator {
  static let flow = FlowDescription("caller", title: "Caller")
  enum Route: Codable { case hill }
  enum Work: Codable { case call }
  enum Output: Codable { case call }
  enum Message: Codable { case echo }
  struct State: FlowState { var calls = 0 }
  let context = Context()

  func start() { router.present(.hill) }

  func screen(for route: Route) -> Screen {
    .message("hill", title: Text(verbatim: "\(state.calls) calls"), actions: [.primary("call", "Call")])
  }

  func receive(_ event: Event, on route: Route) throws { try startWork(.call) }
  func receive(_ event: Event) throws { try startWork(.call) }
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {}
  func workEnded(_ work: Work, with result: WorkResult<Void>) { call() }
  func parentSent(_ message: Message) { call() }

  private func call() {
    state.calls += 1
    emit(.call)
  }
}
