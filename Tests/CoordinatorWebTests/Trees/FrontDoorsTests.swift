import CoordinatorClient
import TestBus
import Testing

@testable import CoordinatorWeb

@Suite("The lists of flows that browsers share", .timeLimit(.minutes(5)))
struct FrontDoorsTests {
  @Test("A list that has failed is not given out again")
  func failedListIsReplaced() async throws {
    let bus = try PrivateBus()
    let daemon = try await PlainDaemon.start(on: bus, languages: nil)
    let doors = FrontDoors(daemon: try await DaemonClient.connect(to: .address(bus.address)))
    let first = try await doors.retain(nil)
    // This daemon does not list running flows.
    await #expect(throws: ClientError.self) { _ = try await first.current() }
    let second = try await doors.retain(nil)
    #expect(second !== first)
    await doors.release(nil)
    await doors.release(nil)
    _ = daemon
  }
}
