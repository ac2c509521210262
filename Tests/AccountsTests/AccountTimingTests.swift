import CoordinatorKit
import Testing

@testable import Accounts

/// With the clocks of this machine.
@Suite("The account manager in real time", .serialized, .timeLimit(.minutes(1)))
struct AccountTimingTests {
  let clock = ContinuousClock()

  @Test("checks at once take as long as one: 200 ms and no less, of one name, of two, and of one that nobody has")
  func atOnce() async throws {
    let manager = CryptAccountManager()
    var times: [Duration] = []
    let total = try await clock.measure {
      try await withThrowingTaskGroup(of: Duration.self) { group in
        for name in ["demo", "demo", "nobody", "nobody"] {
          group.addTask {
            try await clock.measure { _ = try await manager.check(name, password: Secret("open-sesame")) }
          }
        }
        for try await time in group { times.append(time) }
      }
    }
    #expect(times.allSatisfy { $0 >= .milliseconds(200) })
    // One after the other they would take as long as all times together. The machine may be busy: no number of milliseconds is safe.
    #expect(total < times.reduce(.zero, +) / 2)
  }

  @Test("a check that is cancelled returns at once")
  func cancelling() async throws {
    let manager = CryptAccountManager()
    let check = Task.immediate { try await manager.check("demo", password: Secret("open-sesame")) }
    let took = await clock.measure {
      check.cancel()
      await #expect(throws: CancellationError.self) { try await check.value }
    }
    #expect(took < .milliseconds(100))
  }
}
