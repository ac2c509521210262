import CoordinatorBus
import CoordinatorKit
import CoordinatorProvider
import DBus
import Flows
import TestBus
import Testing

@Suite("A provider in Swift", .timeLimit(.minutes(5)))
struct ProviderTests {
  @Test("A flow is served over the bus like a built-in one: forward, Back, refused and finished")
  func visit() async throws {
    let daemon = try await ServedDaemon()
    let provider = try await daemon.serve(.builtIn())
    let root = try await daemon.start("schedule-visit")
    #expect(try await daemon.screens(root).compactMap { $0["name"]?.string } == ["select-visit-type"])
    try await daemon.delegate(root, 1, "sick")
    try await daemon.delegate(root, 2, "little")
    #expect(
      try await daemon.screens(root).compactMap { $0["name"]?.string } == ["select-visit-type", "select-pain-level", "faking-it"])
    _ = try await daemon.call(
      try Contract.routerPath(of: root), Contract.routerInterface, "Back", [.uint64(3), .vardict([:])])
    #expect(try await daemon.screens(root).compactMap { $0["name"]?.string } == ["select-visit-type", "select-pain-level"])
    await #expect(throws: DBusError.self) { try await daemon.delegate(root, 2, "tickled") }
    try await daemon.delegate(root, 2, "none")
    try await daemon.delegate(root, 4, "is-fake")
    #expect(
      try await daemon.outcome(root) == [
        .string("finished"),
        .vardict(["visit": .string("sick"), "pain": .string("none"), "faked": .boolean(true)]),
      ])
    provider.cancel()
    try await provider.value
    try await daemon.end()
  }
}
