import TestBus
import Testing

@testable import CoordinatorKit

@Suite("Messages of failed work", .timeLimit(.minutes(1)))
struct FailureMessageTests {
  @Test("A message that is too long is cut between two letters, says so, and is whole in the log")
  func cut() {
    for letter in ["x", "é", "👋"] {
      let text = "first\nsecond " + String(repeating: letter, count: 5_000)
      let log = Record<String>()
      let message = FailureMessage.fitting(text) { log.append($0) }
      #expect(message.utf8.count <= FailureMessage.limit && message.utf8.count > FailureMessage.limit - 4)
      #expect(message.hasSuffix(FailureMessage.mark) && text.hasPrefix(message.dropLast(FailureMessage.mark.count)))
      #expect(log.values.dropFirst().joined(separator: "\n") == text)
    }
  }

  @Test("A message that fits is not changed, and causes no complaint")
  func fits() {
    let text = String(repeating: "x", count: FailureMessage.limit)
    #expect(FailureMessage.fitting(text) { Issue.record("\($0)") } == text)
  }
}
