import Testing

@testable import DBus

@Suite("The keys that were used last")
struct RecentlyUsedTests {
  @Test("are remembered, and the others forgotten, however many there are")
  func bounded() {
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
