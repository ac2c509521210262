import Testing

@testable import DBus

@Suite("Flushing libdbus's receive buffer", .timeLimit(.minutes(5)))
struct PaddingTests {
  @Test("With no padding message under way, a request sends one")
  func idlePaddingSendsOneMessage() {
    var padding = Padding()
    let isSent = [padding.ask(), padding.arrive(), padding.ask(), padding.arrive()]
    #expect(isSent == [true, false, true, false])
  }

  @Test("Many padding requests send one message after the last, so that a flood of calls causes no flood of messages")
  func manyPaddingRequestsSendOneMessage() {
    var padding = Padding()
    let asked = (0..<1000).map { _ in padding.ask() }
    #expect(asked.filter { $0 }.count == 1)
    let isSent = [padding.arrive(), padding.arrive(), padding.ask()]
    #expect(isSent == [true, false, true])
  }

  @Test("After a padding message could not be sent, the next request sends one")
  func failedPaddingIsRetriedOnRequest() {
    var padding = Padding()
    let first = padding.ask()
    padding.fail()
    let second = padding.ask()
    #expect(first && second)
  }
}
