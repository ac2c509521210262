import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Flows
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("The ways in which calls come", .timeLimit(.minutes(5)))
struct WayTests {
  private static let way: [String: Value] = ["way": .string("desk")]

  @Test("The history names the way that the option gives, or else the kind of the attached renderer, and none of others")
  func historyNamesTheWay() async throws {
    let bus = try PrivateBus()
    let daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    let pets = try await daemon.start("pets", [:], ["way": .string("coordinatorctl")])
    try await daemon.delegate(pets, 1, "schedule-visit")
    let router = try Contract.routerPath(of: pets)
    let capabilities: [Value] = [.vardict(["kind": .string("terminal")])]
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", capabilities)
    try await daemon.delegate(try pets.appending("schedule_visit_1"), 2, "sick")
    _ = try await daemon.call(router, Contract.routerInterface, "Back", [.uint64(3), .vardict(Self.way)])
    let arguments: [Value] = [.string("schedule-visit"), .vardict([:]), .vardict(Self.way)]
    _ = try await daemon.call(pets, Contract.coordinatorInterface, "StartChild", arguments)
    try await daemon.dismiss(pets, Self.way)
    try await daemon.end()
    let entries = try HistoryReader(directory: TestDaemon.journal(on: bus)).page().entries
    let ways = entries.filter { $0.occasion.caller != nil }.map { "\($0.occasion.kind) \($0.occasion.caller?.way ?? "-")" }
    #expect(
      ways == ["start coordinatorctl", "delegate -", "delegate terminal", "back desk", "startChild desk", "dismiss desk"])
  }

  @Test("A way that is too long or not a word is refused, and changes nothing", arguments: ["", "a b", "\u{1B}[2J"])
  func wayIsAWord(_ way: String) async throws {
    let daemon = try await TestDaemon(try .builtIn())
    await expectError("InvalidArgs") { _ = try await daemon.start("pets", [:], ["way": .string(way)]) }
    let pets = try await daemon.start("pets")
    for word in [way, String(repeating: "a", count: 65)] {
      await expectError("InvalidArgs") { try await daemon.delegate(pets, 1, "schedule-visit", [:], ["way": .string(word)]) }
    }
    #expect(try await daemon.screens(pets).count == 1)
    try await daemon.end()
  }

  @Test("A repeated request gets its first answer, in whichever way it comes")
  func wayDoesNotDistinguishRequests() async throws {
    let daemon = try await TestDaemon(try .builtIn())
    let pets = try await daemon.start("pets")
    let first = try await daemon.delegate(pets, 1, "schedule-visit", [:], ["request": .string("one")])
    let options = Self.way.merging(["request": .string("one")]) { $1 }
    #expect(try await daemon.delegate(pets, 1, "schedule-visit", [:], options) == first)
    try await daemon.end()
  }
}
