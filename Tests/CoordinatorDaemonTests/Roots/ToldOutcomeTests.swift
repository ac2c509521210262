import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("The outcome that clients receive", .timeLimit(.minutes(5)))
struct ToldOutcomeTests {
  @Test("A flow that was cancelled because the daemon ends says so, and one that was not, or finished, does not")
  func stoppedFlowsSaySo() {
    #expect(
      ToldOutcome(outcome: .cancelled, wasStopped: true).values
        == [.string("cancelled"), .vardict(["reason": .string("stopped")])])
    #expect(ToldOutcome(outcome: .cancelled).values == [.string("cancelled"), .vardict([:])])
    #expect(
      ToldOutcome(outcome: .finished(["pet": "cat"]), wasStopped: true).values
        == [.string("finished"), .vardict(["pet": .string("cat")])])
  }

  @Test("Many replies wait for room, and so do a few large ones, but never a single one")
  func onlyMuchWaitsForRoom() {
    let small = ToldOutcome(outcome: .cancelled)
    #expect(!small.mustBeSentInTurn(to: 16))
    #expect(small.mustBeSentInTurn(to: 17))
    let text = String(repeating: "x", count: 1 << 20)
    let large = ToldOutcome(outcome: .finished(["text": .string(text)]))
    #expect(!large.mustBeSentInTurn(to: 1))
    #expect(large.mustBeSentInTurn(to: 2))
  }
}
