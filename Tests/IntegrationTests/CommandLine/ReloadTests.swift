import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import Glibc
import Platform
import TestBus
import Testing

@Suite("Reloading the configuration", .timeLimit(.minutes(5)))
struct ReloadTests {
  /// The bus whose directory contains the configuration file.
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(bus.directory)/c.conf"), options: .atomic)
  }

  private func start(_ options: String...) async throws -> RunningDaemon {
    try await RunningDaemon.start(on: bus, ["--config", "\(bus.directory)/c.conf"] + options)
  }

  private func expectRefusal(to flow: Flow) async {
    await #expect(throws: ClientError.self) { _ = try await flow.router.attach(kind: "test") }
  }

  @Test("After SIGHUP a raised or lowered limit applies to later calls")
  func reloadedLimitAppliesToLaterCalls() async throws {
    try write("[Limits]\nMaxAttachments=1\n")
    let daemon = try await start()
    let client = try await daemon.client()
    var flows: [Flow] = []
    for _ in 0..<3 { flows.append(try await Flow.start("pets", client)) }
    _ = try await flows[0].router.attach(kind: "test")
    await expectRefusal(to: flows[1])
    try write("[Limits]\nMaxAttachments=2\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded changed=MaxAttachments")
    _ = try await flows[1].router.attach(kind: "test")
    try write("[Limits]\nMaxAttachments=1\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded changed=MaxAttachments", times: 2)
    await expectRefusal(to: flows[2])
    try await flows[1].send("schedule-visit")
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("Settings that need a restart keep their values, and are named until the file is as it was")
  func settingsThatNeedARestartAreNamed() async throws {
    try write("[State]\nSync=normal\n")
    let daemon = try await start("--max-items", "9")
    try write("[State]\nSync=off\n[Limits]\nMaxFlows=3\nMaxItems=4\n[Daemon]\nLogLevel=info\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("some changes require a restart keys=\"Sync MaxFlows\"")
    #expect(daemon.program.errors.contains("configuration reloaded changed=LogLevel"), "the option goes before MaxItems=")
    let client = try await daemon.client()
    #expect(try await client.managerProperty("MaxFlows") == .uint32(20_000), "the contract says that it is constant")
    try write("[State]\nSync=normal\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded", times: 2)
    #expect(daemon.program.errors.ranges(of: "some changes require a restart").count == 1)
  }

  @Test("Reloading an invalid file changes nothing and reports every mistake")
  func invalidFileChangesNothing() async throws {
    try write("[Limits]\nMaxRenderers=0\n")
    let daemon = try await start()
    let flow = try await Flow.start("pets", try await daemon.client())
    try write("[Limits]\nMaxRenderers=5\nMaxCalls=few\n[Nothing]\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration not reloaded; all settings stay as they were")
    for part in ["c.conf:3: MaxCalls=few: expected a whole number", "c.conf:4: unknown section [Nothing]"] {
      #expect(daemon.program.errors.contains(part))
    }
    await expectRefusal(to: flow)
    try write("[Limits]\nMaxRenderers=5\n")
    daemon.program.signal(SIGHUP)
    try await daemon.program.says("configuration reloaded")
    _ = try await flow.router.attach(kind: "test")
  }

  @Test("Reloading under load loses no call")
  func reloadingUnderLoadLosesNoCall() async throws {
    try write("")
    let daemon = try await start()
    let isOver = Lock(false)
    let hammers = (0..<4).map { _ in
      Task {
        let client = try await daemon.client()
        var flows = 0
        while !isOver.withLock({ $0 }) {
          let flow = try await Flow.start("pets", client)
          try await flow.send("schedule-visit")
          _ = try await flow.coordinator.dismiss()
          flows += 1
        }
        return flows
      }
    }
    for turn in 1...25 {
      try write("[Limits]\nMaxCalls=\(1_000 + turn)\nMaxInputBytes=\(1_000 + turn)K\n[Daemon]\nHandlerDeadline=\(turn)min\n")
      daemon.program.signal(SIGHUP)
      try await daemon.program.says("configuration reloaded", times: turn)
    }
    isOver.withLock { $0 = true }
    for hammer in hammers { #expect(try await hammer.value > 0) }
    #expect(try await daemon.client().manager.listActive().isEmpty)
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("A shorter handler deadline applies to a handler that is already running")
  func shorterDeadlineAppliesToARunningHandler() async throws {
    try write("[Daemon]\nHandlerDeadline=1h\n")
    let options = ["--config", "\(bus.directory)/c.conf", "--log-level", "info"]
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon", on: bus, options)
    let client = try await daemon.client()
    let path = try await client.manager.startFlow("spinner", input: ["at": "receive"]).coordinator
    async let answer = client.trySend("go", to: path, screen: 1)
    try await daemon.program.says("handlers are slow")
    try write("[Daemon]\nHandlerDeadline=1s\n")
    daemon.program.signal(SIGHUP)
    #expect(try await answer == "FlowFailed")
    try await daemon.program.says("a handler does not return; giving up its flow coordinator=spinner_1")
  }
}
