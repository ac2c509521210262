import Testing

@testable import DBus

@Suite("What waits to be sent is known by recipient")
struct OutgoingLedgerTests {
  @Test("what is written follows from what waits, as messages are written in order")
  func order() {
    var ledger = OutgoingLedger()
    ledger.add(100, to: "a")
    ledger.add(10, to: nil)
    ledger.add(50, to: "b")
    ledger.add(100, to: "a")
    #expect(ledger.bytes(to: "a") == 200)
    // Half of the first: libdbus counts it as a whole until all of it is written.
    #expect(left(260, 150, &ledger).isEmpty)
    #expect(ledger.bytes(to: "a") == 200)
    #expect(left(160, 150, &ledger) == ["a"])
    #expect(ledger.bytes(to: "a") == 100)
    #expect(ledger.bytes(to: "b") == 50)
    #expect(left(0, 150, &ledger).isEmpty, "neither had too much any more")
    #expect(ledger.isEmpty)
    #expect(ledger.bytes(to: "a") == 0)
    #expect(ledger.bytes(to: "b") == 0)
  }

  @Test("a recipient is named once, when it has as little as it may")
  func relief() {
    var ledger = OutgoingLedger()
    for _ in 0..<4 { ledger.add(100, to: "a") }
    #expect(left(300, 200, &ledger).isEmpty)
    #expect(left(200, 200, &ledger) == ["a"])
    #expect(left(100, 200, &ledger).isEmpty)
  }

  // The macro cannot change a value itself.
  private func left(_ outgoing: Int, _ limit: Int, _ ledger: inout OutgoingLedger) -> [String] {
    ledger.hasLeft(outgoing, limit: limit)
  }
}
