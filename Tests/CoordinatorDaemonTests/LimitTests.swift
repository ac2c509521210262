import CoordinatorBus
import CoordinatorDaemon
import CoordinatorKit
import DBus
import TestBus
import Testing

@Suite("Rule 11: Limits per client and in total", .timeLimit(.minutes(5)))
struct LimitTests {
  @Test("Rule 11: The waiting calls of one client are limited, and other clients are not affected")
  func waitingCallsOfOneClientAreLimited() async throws {
    var limits = DaemonLimits()
    limits.maxCallsPerClient = 3
    let daemon = try await TestDaemon(limits: limits)
    defer { daemon.spinner.release() }
    let stuck = try await daemon.start("lab")
    let other = try await daemon.anotherClient()
    let spinning = Task { try await daemon.delegate(stuck, 1, "spin") }
    try await daemon.spinner.isSpinning()
    let counting = (0..<2).map { _ in Task { try await daemon.delegate(stuck, 1, "count") } }
    // No event reports that a call waits.
    try await poll { await refusal { try await daemon.outcome(stuck) } != nil }
    let healthy = try await daemon.start("lab", by: other)
    #expect(try await daemon.delegate(healthy, 1, "count", by: other) == 2)
    daemon.spinner.release()
    for task in [spinning] + counting { _ = try await task.value }
    #expect(try await daemon.delegate(stuck, 1, "count") == 4)
    try await daemon.end()
  }

  @Test("Rule 11: The waiting RunFlow calls of one client are limited separately from its other calls")
  func waitingRunFlowCallsAreLimited() async throws {
    var limits = DaemonLimits()
    limits.maxFlowsPerClient = 2
    limits.maxCallsPerClient = 1
    let daemon = try await TestDaemon(limits: limits)
    let other = try await daemon.anotherClient()
    let token = ["token": Value.string("one"), "lifetime": .string("daemon")]
    let root = try await daemon.start("lab", [:], token, by: other)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 {
        group.addTask {
          do {
            return try await daemon.run("lab", [:], token).outcome
          } catch let error as DBusError {
            return error.name
          }
        }
      }
      #expect(try await group.next()?.hasSuffix("LimitsExceeded") == true)
      try await daemon.dismiss(root)
      #expect(try await group.next() == "cancelled")
      #expect(try await group.next() == "cancelled")
    }
    #expect(try await daemon.run("lab", [:], token).outcome == "cancelled")
    try await daemon.end()
  }

  @Test("Rule 11: A RunFlow call of a flow that is not known yet counts like the other calls of its client")
  func callsOfUnknownFlowsAreLimited() async throws {
    var limits = DaemonLimits()
    limits.maxCallsPerClient = 1
    let daemon = try await TestDaemon(FlowCatalogue(), scripts: ["/nonexistent"], limits: limits)
    // It serves scripts, but does not tell its flows, so the calls wait.
    let engine = try await daemon.anotherClient()
    #expect(try await engine.requestName(Contract.scriptsName) == .primaryOwner)
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<2 {
        group.addTask { await refusal { try await daemon.run("unknown").outcome } ?? "" }
      }
      #expect(await group.next()?.contains("LimitsExceeded") == true)
      group.cancelAll()
    }
    await engine.close()
    try await daemon.end()
  }

  @Test("Rule 11: The input bytes of flows are limited per client and in total, and ended flows do not count")
  func inputBytesAreLimited() async throws {
    var limits = DaemonLimits()
    limits.maxInputBytesPerClient = 130
    limits.maxInputBytes = 200
    let daemon = try await TestDaemon(limits: limits)
    let others = [try await daemon.anotherClient(), try await daemon.anotherClient()]
    // Each tree takes about 57 bytes.
    let input = ["mode": Value.string("plain")]
    let first = try await daemon.start("lab", input)
    _ = try await daemon.start("lab", input)
    #expect(await refusal { try await daemon.start("lab", input) } == "LimitsExceeded")
    #expect(await refusal { try await startChild(of: first, input, daemon) } == "LimitsExceeded")
    _ = try await daemon.start("lab", input, by: others[0])
    #expect(await refusal { try await daemon.start("lab", input, by: others[1]) } == "LimitsExceeded")
    try await daemon.dismiss(first)
    _ = try await daemon.start("lab", input, by: others[1])
    #expect(await refusal { try await daemon.start("lab", input) } == "LimitsExceeded")
    try await daemon.end()
  }

  @Test("Rule 11: The number of renderers and of their attachments to trees is limited")
  func renderersAndAttachmentsAreLimited() async throws {
    var limits = DaemonLimits()
    limits.maxRenderers = 2
    limits.maxAttachments = 3
    let daemon = try await TestDaemon(limits: limits)
    let roots = [try await daemon.start("lab"), try await daemon.start("lab")]
    let others = [try await daemon.anotherClient(), try await daemon.anotherClient()]
    try await attach(to: roots[0], others[0], daemon)
    try await attach(to: roots[0], others[1], daemon)
    #expect(await refusal { try await attach(to: roots[0], daemon.client, daemon) } == "LimitsExceeded")
    try await attach(to: roots[1], others[0], daemon)
    #expect(await refusal { try await attach(to: roots[1], others[1], daemon) } == "LimitsExceeded")
    // Attaching again does not count twice.
    try await attach(to: roots[0], others[1], daemon)
    var signals = try await daemon.signals().makeAsyncIterator()
    await others[0].close()
    _ = await signals.upTo("PropertiesChanged")
    #expect(try await daemon.property("Renderers", Contract.managerInterface, at: Contract.rootPath) == .uint32(1))
    try await attach(to: roots[0], daemon.client, daemon)
    try await daemon.end()
  }

  @Test("Rule 11: A flow or event name of more than 255 bytes is refused")
  func overlongNamesAreRefused() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    let name = String(repeating: "n", count: 256)
    #expect(await refusal { try await daemon.start(name) } == "LimitsExceeded")
    #expect(await refusal { try await daemon.delegate(root, 1, name) } == "LimitsExceeded")
    #expect(await refusal { try await daemon.delegate(root, 1, String(name.dropLast())) } == "UnknownEvent")
    try await daemon.end()
  }

  private func attach(to root: ObjectPath, _ client: Connection, _ daemon: TestDaemon) async throws {
    _ = try await daemon.call(
      Contract.routerPath(of: root), Contract.routerInterface, "Attach", [.vardict(["kind": .string("test")])], by: client)
  }

  private func startChild(of path: ObjectPath, _ input: [String: Value], _ daemon: TestDaemon) async throws {
    _ = try await daemon.call(
      path, Contract.coordinatorInterface, "StartChild", [.string("lab"), .vardict(input), .vardict([:])])
  }

  /// Returns the last component of the name of the error that a call throws; nil if it succeeds.
  private func refusal<T>(_ body: () async throws -> T) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? DBusError)?.name.split(separator: ".").last.map(String.init) ?? "\(error)"
    }
  }
}
