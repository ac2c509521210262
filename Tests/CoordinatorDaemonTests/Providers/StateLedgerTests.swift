import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("P23: What a provider stores is limited", .timeLimit(.minutes(5)))
struct StateLedgerTests {
  @Test("P23: The coordinators of one provider store at most 64 MiB together; more is refused, and affects no other provider")
  func limit() async throws {
    let large = String(repeating: "x", count: 262_000)
    let daemon = try await TestDaemon(FlowCatalogue())
    func provider(_ flow: String) async throws -> TestProvider {
      let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
        switch (question.kind, question.name) {
        case ("start", _):
          return .answer(
            "", do: [.op("present", ["key": .string("menu")])],
            screens: ["menu": .screen("menu", "menu", "Menu", actions: ["grow": "Grow", "shrink": "Shrink"])])
        case (_, "grow"): return .answer(large)
        default: return .answer("")
        }
      }
      #expect(try await provider.connection.requestName("com.example.\(flow)") == .primaryOwner)
      try await provider.serve(.flow(flow), named: "com.example.\(flow)")
      return provider
    }
    let (one, other) = (try await provider("one"), try await provider("other"))
    // As many states as fit, with their screens.
    var roots: [ObjectPath] = []
    for _ in 0..<255 {
      let root = try await daemon.start("one")
      try await daemon.delegate(root, 1, "grow")
      roots.append(root)
    }
    let last = try await daemon.start("one")
    await expectError("LimitsExceeded") { try await daemon.delegate(last, 1, "grow") }
    let neighbour = try await daemon.start("other")
    try await daemon.delegate(neighbour, 1, "grow")
    // Space that an answer or the end of a flow has freed can be used.
    try await daemon.delegate(roots[0], 1, "shrink")
    try await daemon.delegate(last, 1, "grow")
    await expectError("LimitsExceeded") { try await daemon.delegate(roots[0], 1, "grow") }
    try await daemon.dismiss(roots[1])
    try await daemon.delegate(roots[0], 1, "grow")
    _ = (one, other)
    try await daemon.end()
  }
}
