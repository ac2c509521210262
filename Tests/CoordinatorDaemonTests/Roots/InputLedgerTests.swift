import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("The ledger of inputs", .timeLimit(.minutes(5)))
struct InputLedgerTests {
  private func ledger() -> InputLedger {
    var limits = DaemonLimits()
    (limits.maxInputBytesPerClient, limits.maxInputBytes) = (100, 150)
    return InputLedger(limits: limits)
  }

  @Test("The flows of a client count together, and the flows of all")
  func flowsCountTogether() {
    var ledger = ledger()
    ledger.set("a_1", of: ":1.1", to: 60)
    #expect(ledger.refusal(of: 40, to: ":1.1") == nil)
    #expect(ledger.refusal(of: 41, to: ":1.1")?.message.contains("this client") == true)
    ledger.set("b_1", of: ":1.2", to: 60)
    #expect(ledger.refusal(of: 31, to: ":1.2")?.message.contains("all flows") == true)
    #expect(ledger.refusal(of: 30, to: ":1.2") == nil)
  }

  @Test("What a flow takes up is counted once, however often it changes, and not after its end")
  func flowIsCountedOnce() {
    var ledger = ledger()
    ledger.set("a_1", of: ":1.1", to: 60)
    ledger.update("a_1", to: 10)
    #expect(ledger.total == 10)
    #expect(ledger.bytes(of: ":1.1") == 10)
    ledger.remove("a_1")
    ledger.remove("a_1")
    ledger.update("a_1", to: 99)
    #expect(ledger.total == 0)
    #expect(ledger.bytes(of: ":1.1") == 0)
    #expect(ledger.client(of: "a_1") == nil)
  }

  @Test("A flow whose client is not known after a restart counts in total only")
  func unknownClientCountsInTotal() {
    var ledger = ledger()
    ledger.set("a_1", of: "", to: 120)
    #expect(ledger.refusal(of: 30, to: "") == nil)
    #expect(ledger.refusal(of: 31, to: "") != nil)
  }
}
