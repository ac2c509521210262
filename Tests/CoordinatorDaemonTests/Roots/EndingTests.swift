import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("What is remembered of flows that have ended", .timeLimit(.minutes(5)))
struct EndingTests {
  private func ending(_ daemon: TestDaemon, _ root: ObjectPath) async throws -> [String: Value]? {
    try await daemon.manager("GetEnding", [.objectPath(root)]).first?.vardict
  }

  @Test("The outcome of an ended root names its flow, also in a daemon that was started later")
  func endingIsRemembered() async throws {
    let bus = try PrivateBus()
    let daemon = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    let root = try await daemon.start("schedule-visit")
    await expectError("UnknownObject") { _ = try await ending(daemon, root) }
    for (screen, event) in [(1, "sick"), (2, "little"), (3, "is-fake")] {
      _ = try await daemon.delegate(root, UInt64(screen), event)
    }
    let outcome = try await daemon.manager("GetOutcome", [.objectPath(root)])
    let known = try #require(try await ending(daemon, root))
    #expect(known["flow"] == .string("schedule-visit"))
    #expect(known["outcome"] == .string("finished") && outcome.first == .string("finished"))
    #expect(known["result"] == outcome.last && known["result"]?.vardict?.isEmpty == false)
    try await daemon.end()
    let next = try await TestDaemon(try .builtIn(), on: bus, isKept: true)
    #expect(try await ending(next, root) == known)
    await expectError("UnknownObject") { _ = try await ending(next, try Contract.flowPath(root: "never")) }
    await expectError("UnknownObject") { _ = try await ending(next, Contract.rootPath) }
    try await next.end()
  }
}
