import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Using a token again", .timeLimit(.minutes(5)))
struct TokenReuseTests {
  private let mine: [String: Value] = ["token": .string("mine")]
  private let fresh: [String: Value] = ["token": .string("mine"), "fresh": .boolean(true)]

  private func forget(_ daemon: TestDaemon) async throws -> Bool? {
    try await daemon.manager("Forget", [.string("mine")]).first?.bool
  }

  @Test("With the option fresh, a token whose flow has ended starts the flow again, and one that is live is joined")
  func freshStartsAgain() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("pets", [:], fresh)
    #expect(try await daemon.start("pets", [:], fresh) == root)
    try await daemon.dismiss(root)
    #expect(try await daemon.start("pets", [:], mine) == root)
    #expect(try await daemon.outcome(root) == "cancelled")
    #expect(try await daemon.start("pets", [:], fresh) == root)
    #expect(try await daemon.outcome(root) == "active")
    try await daemon.end()
  }

  @Test("A fresh start of another flow does not take the token")
  func freshStartOfAnotherFlowIsRefused() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("pets", [:], mine)
    try await daemon.dismiss(root)
    await expectError("TokenInUse") { _ = try await daemon.start("lab", [:], fresh) }
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
  }

  @Test("A fresh start that fails keeps the old outcome")
  func failedFreshStartKeepsTheOutcome() async throws {
    var limits = DaemonLimits()
    limits.maxFlows = 1
    let daemon = try await TestDaemon(limits: limits)
    let root = try await daemon.start("pets", [:], mine)
    try await daemon.dismiss(root)
    _ = try await daemon.start("lab")
    await expectError("LimitsExceeded") { _ = try await daemon.start("pets", [:], fresh) }
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
  }

  @Test("Forget frees the token of an ended flow, for another flow as well, and not that of a live one")
  func forgetFreesTheToken() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("pets", [:], mine)
    await expectError("TokenInUse") { _ = try await forget(daemon) }
    try await daemon.dismiss(root)
    await expectError("TokenInUse") { _ = try await daemon.start("lab", [:], mine) }
    #expect(try await forget(daemon) == true)
    #expect(try await forget(daemon) == false)
    await expectError("UnknownObject") { _ = try await daemon.outcome(root) }
    #expect(try await daemon.start("lab", [:], mine) == root)
    await expectError("InvalidArgs") { _ = try await daemon.manager("Forget", [.string("not a token")]) }
    try await daemon.end()
  }

  @Test("ListEnded lists what has ended and is not forgotten, oldest first, with its token and outcome")
  func endedFlowsAreListed() async throws {
    let daemon = try await TestDaemon()
    let unnamed = try await daemon.start("lab")
    let named = try await daemon.start("pets", [:], mine)
    let live = try await daemon.start("pets")
    try await daemon.dismiss(unnamed)
    try await daemon.dismiss(named)
    func rows() async throws -> [[Value]] {
      try await daemon.manager("ListEnded").first?.elements?.compactMap(\.members) ?? []
    }
    #expect(
      try await rows() == [
        [.objectPath(unnamed), .string("lab"), .string(""), .string("cancelled")],
        [.objectPath(named), .string("pets"), .string("mine"), .string("cancelled")],
      ])
    _ = try await forget(daemon)
    #expect(try await rows().map { $0[0].objectPath } == [unnamed])
    #expect(try await daemon.outcome(live) == "active")
    try await daemon.end()
  }

  @Test("What was forgotten stays forgotten after a restart")
  func forgettingIsStored() async throws {
    let bus = try PrivateBus()
    let catalogue = try FlowCatalogue.builtIn()
    var daemon = try await TestDaemon(catalogue, on: bus, isKept: true)
    let root = try await daemon.start("pets", [:], mine)
    try await daemon.dismiss(root)
    #expect(try await forget(daemon) == true)
    try await daemon.end()
    daemon = try await TestDaemon(catalogue, on: bus, isKept: true)
    await expectError("UnknownObject") { _ = try await daemon.outcome(root) }
    #expect(try await forget(daemon) == false)
    #expect(try await daemon.start("schedule-visit", [:], mine) == root)
    try await daemon.end()
  }
}
