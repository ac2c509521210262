import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("Rule 11: A client that floods the daemon", .serialized, .timeLimit(.minutes(5)))
struct FloodTests {
  private static let count = 3_000

  @Test("A flooding client is refused once too many calls wait, and neither memory nor another client suffers")
  func floodingClientIsRefusedWithoutHarm() async throws {
    let daemon = try await RunningDaemon.start(["--max-flows-per-client", "1000"])
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      // While another client floods.
      try await neighbour.plays()
      let before = try ProcessMemory(of: daemon.program.processIdentifier)
      // All calls are sent before any reply is awaited.
      let tally = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<Self.count { group.addTask { try await self.start(client) } }
        return try await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
      }
      let after = try ProcessMemory(of: daemon.program.processIdentifier)
      print("Flood: \(tally[nil] ?? 0) flows started, \(tally["LimitsExceeded"] ?? 0) refused; before \(before), after \(after)")
      #expect(tally["LimitsExceeded"] ?? 0 > 0)
      #expect((tally[nil] ?? 0) + (tally["LimitsExceeded"] ?? 0) == Self.count)
      // A sanitizer allocates memory for its own bookkeeping, and keeps freed memory.
      #expect(after.resident - before.resident < 256 << 10 || Built.isSanitized)
      // After the flood.
      try await neighbour.plays()
      // After the flood the client may call again.
      #expect(try await client.managerProperty("Version").string != nil)
      await client.close()
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  /// - Returns: the last part of the error's name; nil if the flow has started.
  private func start(_ client: DaemonClient) async throws -> String? {
    let options = Value.vardict(["lifetime": .string("caller")])
    do {
      _ = try await client.connection.call(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
        arguments: [.string("pets"), .vardict([:]), options], deadline: nil)
      return nil
    } catch let error as DBusError {
      return error.name.split(separator: ".").last.map(String.init)
    }
  }
}
