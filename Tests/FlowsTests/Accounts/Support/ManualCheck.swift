import CoordinatorKit

@testable import Accounts

extension CryptAccountManager {
  /// Runs a single check and advances the time that it takes.
  func check(_ name: String, _ password: String = Hashes.password, in time: ManualTime) async throws -> Verdict {
    let check = Task { try await self.check(name, password: Secret(password)) }
    try await time.sleeping(1)
    time.advance(by: .milliseconds(200))
    return try await check.value
  }
}
