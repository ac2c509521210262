import CoordinatorKit
import TestBus
import Testing

@testable import Accounts

/// Uses the machine's own clocks.
@Suite("The account manager in real time", .serialized, .timeLimit(.minutes(5)))
struct AccountTimingTests {
  let clock = ContinuousClock()

  /// Returns the duration of two concurrent checks, one of the default user and one of another name.
  private func twoChecks(_ other: String, expecting verdict: Verdict, _ manager: CryptAccountManager) async throws -> Duration {
    let password = Secret("open-sesame")
    return try await clock.measure {
      async let one = manager.check("demo", password: password)
      async let two = manager.check(other, password: password)
      #expect(try await one == .accepted)
      let answer = try await two
      #expect(answer == verdict || answer == .tooManyAttempts)
    }
  }

  /// Protects against guessing names by the time of an answer. The bound is a ratio, and wide, because it must hold on a busy
  /// machine: an answer without a hash or without the wait would take a small fraction of the time.
  /// ``CryptAccountManagerTests`` shows with a manual clock that all checks take exactly the same time, and run concurrently.
  @Test("Two checks at once take 200 ms or more, and as long for one who does not exist as for a user")
  func unknownUserTakesAsLongAsKnownOne() async throws {
    let manager = CryptAccountManager()
    var (known, unknown) = (Duration.seconds(3_600), Duration.seconds(3_600))
    let equal = 2 / 3.0...3 / 2.0
    var rounds = 0
    // The shortest of several measurements, taken in turns, and more of them on a busy machine.
    repeat {
      known = min(known, try await twoChecks("demo", expecting: .accepted, manager))
      unknown = min(unknown, try await twoChecks("nobody", expecting: .wrong, manager))
      rounds += 1
    } while rounds < 3 || !equal.contains(unknown / known) && rounds < 50
    #expect(min(known, unknown) >= .milliseconds(200))
    #expect(equal.contains(unknown / known), "\(known) for a user, \(unknown) for a stranger")
  }

  @Test("A cancelled check returns before one that began earlier is answered")
  func cancelledCheckReturnsAtOnce() async throws {
    let manager = CryptAccountManager()
    var orders: [[String]] = []
    // Repeats, because a busy machine may take longer to resume a task than the earlier check has left.
    repeat {
      let order = Record<String>()
      let earlier = Task.immediate {
        _ = try await manager.check("demo", password: Secret("open-sesame"))
        order.append("answered")
      }
      let cancelled = Task.immediate { try await manager.check("demo", password: Secret("open-sesame")) }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      order.append("cancelled")
      try await earlier.value
      orders.append(order.values)
    } while orders.last != ["cancelled", "answered"] && orders.count < 50
    #expect(orders.last == ["cancelled", "answered"])
  }
}
