import Testing

@testable import DBus

@Suite("Recently used keys", .timeLimit(.minutes(5)))
struct RecentlyUsedTests {
  @Test("The most recently used keys are remembered and the others forgotten, however many there are")
  func recentlyUsedKeysAreRemembered() {
    var values = RecentlyUsed<Int>(capacity: 10)
    for number in 0..<1_000 {
      values["\(number)"] = number
      #expect(values["0"] == 0, "used each time")
      #expect(values.count <= 20)
    }
    for number in 991..<1_000 { #expect(values["\(number)"] == number) }
    #expect(values["500"] == nil)
    values["0"] = nil
    #expect(values["0"] == nil)
  }
}
