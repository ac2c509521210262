import Testing

@testable import CoordinatorKit

@Suite("Faults found by fuzzing", .timeLimit(.minutes(5)))
struct FoundByFuzzingTests {
  @Test("A kept answer whose number was lost in a damaged store throws an error instead of trapping")
  func damagedRequestNumberThrows() throws {
    #expect(throws: DecodingError.self) { try RequestLedger([StoredRequest(key: "key", number: 0, entry: "{}")]) }
  }
}
