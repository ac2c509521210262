import CoordinatorBus
import CoordinatorKit
import DBus
import Foundation
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P17, P18: No work is done twice without its attempt saying so", .timeLimit(.minutes(5)))
struct WorkAttemptTests {
  private static let name = "com.example.Menu"

  /// Decides for a flow of one menu; `work` starts work.
  private static let menu: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.name) {
    case ("start", _):
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["work": "Work", "secret": "Secret"])])
    case ("event", "work"): return .answer("working", do: [.op("work", ["id": .string("w-1")])])
    case ("work-ended", _): return .answer("", do: [.op("finish")])
    default: return .answer(question.state)
    }
  }

  private func provider(_ daemon: TestDaemon) async throws -> TestProvider {
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    return provider
  }

  /// Returns the next piece of work that a provider is asked to begin.
  private func begun(at provider: TestProvider) async throws -> TestProvider.Performance {
    try #require(await provider.performed.stream.first { _ in true })
  }

  @Test("P18: The attempts of work go on across restarts of the daemon, and deaths of its provider in between")
  func restarts() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    var provider = try await provider(daemon)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    var attempts = [try await begun(at: provider).attempt]
    for number in 0..<6 {
      if number.isMultiple(of: 2) {
        try await daemon.end()
        daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
      } else {
        try await bus.disconnect(provider.connection)
      }
      provider = try await self.provider(daemon)
      attempts.append(try await begun(at: provider).attempt)
    }
    #expect(attempts == [1, 2, 3, 4, 5, 6, 7])
    try await daemon.end()
  }

  @Test("P18: An attempt that may repeat another one is stored before its provider is asked, so a crash in between is safe")
  func crashInBetween() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    let first = try await provider(daemon)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    #expect(try await begun(at: first).attempt == 1)
    try await bus.disconnect(first.connection)
    let second = try await provider(daemon)
    #expect(try await begun(at: second).attempt == 2)
    // The state of a daemon that was killed before it received the answer to Perform.
    let (journal, copy) = (TestDaemon.journal(on: bus), bus.directory + "/copy")
    try FileManager.default.copyItem(atPath: journal, toPath: copy)
    try await daemon.end()
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.moveItem(atPath: copy, toPath: journal)
    daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    let third = try await provider(daemon)
    let again = try await begun(at: third)
    #expect(again.attempt == 3)
    let ended = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    try await third.end(again, ["value": .string("done")])
    _ = await ended.first { _ in true }
    #expect(try await daemon.outcome(root) == "finished")
    try await daemon.end()
  }

  @Test("P18: A program that was replaced and stays on the bus is asked to let go, and after five seconds its work moves on")
  func released() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let old = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await old.connection.requestName(Self.name, allowReplacement: true) == .primaryOwner)
    try await old.serve(.flow("menu"), named: Self.name)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try await begun(at: old)
    let new = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await new.connection.requestName(Self.name, replace: true) == .primaryOwner)
    try await new.serve(.flow("menu"), named: Self.name)
    #expect(await old.released.stream.first { _ in true } == ["menu"])
    #expect(await old.cancelled.stream.first { _ in true } == "w-1")
    let again = try await self.begun(at: new)
    #expect(again.attempt == 2 && again.instance == begun.instance && again.work == begun.work)
    // The work no longer belongs to this provider.
    await expectError("AccessDenied") { try await old.end(begun, ["value": .string("late")]) }
    try await new.end(again, ["value": .string("done")])
    try await daemon.end()
  }

  @Test("P18: The result of a program that was replaced counts as long as its work has not moved on")
  func endsInTime() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let old = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await old.connection.requestName(Self.name, allowReplacement: true) == .primaryOwner)
    try await old.serve(.flow("menu"), named: Self.name)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try await begun(at: old)
    let ended = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    let new = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await new.connection.requestName(Self.name, replace: true) == .primaryOwner)
    try await new.serve(.flow("menu"), named: Self.name)
    #expect(await old.released.stream.first { _ in true } == ["menu"])
    try await old.end(begun, ["value": .string("in time")])
    _ = await ended.first { _ in true }
    #expect(try await daemon.outcome(root) == "finished")
    #expect(new.questions.map(\.kind) == ["work-ended"])
    try await daemon.end()
  }
}
