import Testing

@testable import CoordinatorKit

@Suite("What the fuzzers have found")
struct FoundByFuzzingTests {
  @Test("a kept answer whose number a damaged store has lost is an error, no trap")
  func requestWithoutNumber() throws {
    #expect(throws: DecodingError.self) { try RequestLedger([StoredRequest(key: "key", number: 0, entry: "{}")]) }
  }
}
