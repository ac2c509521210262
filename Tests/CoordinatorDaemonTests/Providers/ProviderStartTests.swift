import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Programs that the bus starts, and that leave", .timeLimit(.minutes(5)))
struct ProviderStartTests {
  private static let name = "com.example.Cafe"

  /// Returns a bus that makes systemd start the program, and the connection that acts as systemd.
  private func systemd() async throws -> (ActivatingBus, Connection, SignalSequence) {
    let activating = try ActivatingBus([Self.name: nil], usesSystemd: true)
    try activating.serve("coffee", by: Self.name)
    let systemd = try await Connection.open(.address(activating.bus.address))
    _ = try await systemd.requestName("org.freedesktop.systemd1")
    let requests = try await systemd.signals(
      matching: MatchRule(interface: "org.freedesktop.systemd1.Activator", member: "ActivationRequest"))
    return (activating, systemd, requests)
  }

  private func problem(_ daemon: TestDaemon) async throws -> String? {
    let all = try await daemon.manager("ListProviders").first?.elements?.compactMap(\.vardict) ?? []
    return all.first { $0["origin"] == .string("file") }?["problem"]?.string
  }

  @Test("P10: A unit of systemd that never takes the name, of which the bus says nothing, is ProviderGone in time")
  func unitHangs() async throws {
    let (activating, systemd, requests) = try await systemd()
    let daemon = try await TestDaemon(
      FlowCatalogue(), on: activating.bus, providers: activating.providers, providerStartTime: .milliseconds(300))
    await expectError("ProviderGone") { _ = try await daemon.start("coffee") }
    guard case .signal(let request)? = await requests.first(where: { _ in true }) else { return }
    #expect(request.body == [.string("\(Self.name).service")])
    #expect(try await problem(daemon)?.contains("has not taken its name") == true)
    try await daemon.end()
    await systemd.close()
  }

  @Test("P10: A unit of systemd that fails is ProviderGone at once, with what systemd says about it")
  func unitFails() async throws {
    let (activating, systemd, requests) = try await systemd()
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let failing = Task {
      for await case .signal(let request) in requests {
        let failure = Signal(
          path: "/org/freedesktop/DBus", interface: "org.freedesktop.systemd1.Activator", member: "ActivationFailure",
          body: request.body + [.string("org.freedesktop.systemd1.JobFailed"), .string("The job has failed.")])
        try await systemd.emit(failure, to: "org.freedesktop.DBus")
      }
    }
    await expectError("ProviderGone") { _ = try await daemon.start("coffee") }
    #expect(try await problem(daemon)?.contains("The job has failed.") == true)
    failing.cancel()
    try await daemon.end()
    await systemd.close()
  }

  @Test("P16: Two hundred exits of an idle program, with calls that cross them: each call is answered, and none is lost")
  func manyIdleExits() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("idle exits: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let activating = try ActivatingBus([Self.name: nil])
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let running = Observed<[Connection]>([])
    try await activating.whenStarted(Self.name, on: daemon.client) {
      guard let connection = try? await daemon.anotherClient() else { return }
      let provider = TestProvider(connection) { question throws(DBusError) in
        question.kind == "start"
          ? .answer(
            "0", do: [.op("present", ["key": .string("size")])],
            screens: ["size": .screen("menu", "size", "How large?", actions: ["more": "More"])])
          : .answer("\((Int(question.state) ?? 0) + 1)")
      }
      try? await connection.export(provider, at: ProviderFileFlowTests.path)
      _ = try? await connection.requestName(Self.name)
      running.update { $0.append(connection) }
    }
    let root = try await daemon.start("coffee")
    for exits in 1...200 {
      let leaving = try #require(try await running.until { $0.count == exits }.last)
      let crossing = Task { try await daemon.delegate(root, 1, "more") }
      for _ in 0..<Int.random(in: 0...30, using: &random) { await Task.yield() }
      await leaving.close()
      _ = try await crossing.value
      try await daemon.delegate(root, 1, "more")
    }
    try await daemon.end()
  }
}
