import Testing

@testable import DBus

@Suite("Outgoing bytes per recipient", .timeLimit(.minutes(5)))
struct OutgoingLedgerTests {
  @Test("Written bytes are attributed to recipients in the order in which their messages were queued")
  func writtenBytesAreAttributedInOrder() {
    var ledger = OutgoingLedger()
    ledger.add(100, to: "a")
    ledger.add(10, to: nil)
    ledger.add(50, to: "b")
    ledger.add(100, to: "a")
    #expect(ledger.bytes(to: "a") == 200)
    // Half of the first message is written. libdbus counts it in full until all of it is written.
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

  @Test("A recipient is named once, when its queue has shrunk to the limit")
  func relievedRecipientIsNamedOnce() {
    var ledger = OutgoingLedger()
    for _ in 0..<4 { ledger.add(100, to: "a") }
    #expect(left(300, 200, &ledger).isEmpty)
    #expect(left(200, 200, &ledger) == ["a"])
    #expect(left(100, 200, &ledger).isEmpty)
  }

  // The macro cannot mutate a value itself.
  private func left(_ outgoing: Int, _ limit: Int, _ ledger: inout OutgoingLedger) -> [String] {
    ledger.hasLeft(outgoing, limit: limit)
  }
}
