import TestBus
import Testing

@testable import DBus

@Suite("Admission state", .timeLimit(.minutes(5)))
struct AdmissionTests {
  private typealias Verdict = Admission<Int>.Verdict
  private let user = PeerCredentials(user: 7, groups: [7, 8])

  /// Takes all calls of a sender that can be taken.
  private func take(_ sender: String, from admission: inout Admission<Int>) -> [Int] {
    var calls: [Int] = []
    while let (call, _) = admission.next(of: sender) { calls.append(call) }
    return calls
  }

  @Test("A sender's first call triggers its admission check, its later calls wait in order, and other senders do not")
  func callsWaitForVerdictOnTheirSender() {
    var admission = Admission<Int>()
    #expect(admission.arrive(1, from: ":1.1", size: 1) == .waits(isFirst: true))
    #expect(admission.arrive(2, from: ":1.1", size: 1) == .waits(isFirst: false))
    #expect(admission.arrive(3, from: ":1.2", size: 1) == .waits(isFirst: true))
    #expect(take(":1.1", from: &admission).isEmpty)
    admission.settle(":1.2", .verdict(.admitted(user)))
    #expect(take(":1.2", from: &admission) == [3])
    #expect(admission.arrive(4, from: ":1.2", size: 1) == .decided(.admitted(user)))
    admission.settle(":1.1", .verdict(.refused(user)))
    #expect(take(":1.1", from: &admission) == [1, 2])
    #expect(admission.arrive(5, from: ":1.1", size: 1) == .decided(.refused(user)))
  }

  @Test("A call that arrives while waiting calls are taken waits behind them")
  func callDuringDrainWaitsBehindOthers() {
    var admission = Admission<Int>()
    for call in 1...3 { _ = admission.arrive(call, from: ":1.1", size: 1) }
    admission.settle(":1.1", .verdict(.admitted(user)))
    #expect(admission.next(of: ":1.1")?.0 == 1)
    #expect(admission.arrive(4, from: ":1.1", size: 1) == .waits(isFirst: false))
    #expect(take(":1.1", from: &admission) == [2, 3, 4])
  }

  @Test("An uncertain answer about a sender is not remembered", arguments: [Admission<Int>.Answer.unknown, .gone])
  func uncertainAnswerIsNotRemembered(answer: Admission<Int>.Answer) {
    var admission = Admission<Int>()
    _ = admission.arrive(1, from: ":1.1", size: 1)
    admission.settle(":1.1", answer)
    #expect(admission.next(of: ":1.1")?.1 == answer)
    #expect(take(":1.1", from: &admission).isEmpty)
    #expect(admission.arrive(2, from: ":1.1", size: 1) == .waits(isFirst: true))
  }

  @Test("Waiting calls are bounded per sender and in total, and taking calls makes room again")
  func waitingCallsAreBounded() {
    var admission = Admission<Int>(limits: .init(waitingPerSender: 10, waiting: 25))
    #expect(admission.arrive(1, from: ":1.1", size: 10) == .waits(isFirst: true))
    #expect(admission.arrive(2, from: ":1.1", size: 1) == .tooMuch)
    #expect(admission.arrive(3, from: ":1.2", size: 10) == .waits(isFirst: true))
    #expect(admission.arrive(4, from: ":1.3", size: 10) == .tooMuch)
    #expect(admission.arrive(5, from: ":1.3", size: 5) == .waits(isFirst: true))
    admission.settle(":1.1", .verdict(.admitted(user)))
    #expect(admission.next(of: ":1.1")?.0 == 1)
    #expect(admission.arrive(6, from: ":1.1", size: 10) == .waits(isFirst: false))
    #expect(take(":1.1", from: &admission) == [6])
    #expect(admission.arrive(7, from: ":1.4", size: 10) == .waits(isFirst: true))
  }

  @Test("A first call of any size waits, as long as nothing else does")
  func firstCallOfAnySizeWaits() {
    var admission = Admission<Int>(limits: .init(waitingPerSender: 10, waiting: 25))
    #expect(admission.arrive(1, from: ":1.1", size: 1_000) == .waits(isFirst: true))
    #expect(admission.arrive(2, from: ":1.2", size: 1) == .tooMuch)
    admission.settle(":1.1", .verdict(.admitted(user)))
    #expect(take(":1.1", from: &admission) == [1])
    #expect(admission.arrive(3, from: ":1.2", size: 1) == .waits(isFirst: true))
  }

  @Test(
    "Calls of random senders are each taken once, in their sender's order, with nothing left over",
    arguments: 0..<8)
  func randomCallsAreTakenOnceInOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var admission = Admission<Int>(limits: .init(remembered: 2, waitingPerSender: 20, waiting: 50))
    var last: [String: Int] = [:]
    var kept = 0
    for call in 1...5_000 {
      let sender = ":1.\(Int.random(in: 1...8, using: &generator))"
      switch admission.arrive(call, from: sender, size: Int.random(in: 1...5, using: &generator)) {
      case .waits: kept += 1
      case .decided(let verdict): #expect(verdict == .admitted(user))
      case .tooMuch: break
      }
      guard Bool.random(using: &generator) else { continue }
      admission.settle(sender, .verdict(.admitted(user)))
      for taken in take(sender, from: &admission) {
        #expect(taken > last[sender, default: 0])
        last[sender] = taken
        kept -= 1
      }
    }
    for number in 1...8 {
      admission.settle(":1.\(number)", .unknown)
      kept -= take(":1.\(number)", from: &admission).count
    }
    #expect(kept == 0)
    #expect(admission.arrive(0, from: ":1.9", size: 50) == .waits(isFirst: true), "nothing waits any more")
  }
}
