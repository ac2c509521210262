import Testing

@testable import DBus

@Suite("What libdbus received is forgotten")
struct PaddingTests {
  @Test("by one message when nothing is under way")
  func first() {
    var padding = Padding()
    let isSent = [padding.ask(), padding.arrive(), padding.ask(), padding.arrive()]
    #expect(isSent == [true, false, true, false])
  }

  @Test("by one message after the last of many wishes, so that a flood of calls makes no flood of messages")
  func many() {
    var padding = Padding()
    let asked = (0..<1000).map { _ in padding.ask() }
    #expect(asked.filter { $0 }.count == 1)
    let isSent = [padding.arrive(), padding.arrive(), padding.ask()]
    #expect(isSent == [true, false, true])
  }

  @Test("by the next wish when a message could not be sent")
  func failed() {
    var padding = Padding()
    let first = padding.ask()
    padding.fail()
    let second = padding.ask()
    #expect(first && second)
  }
}
