import TestBus
import Testing

@testable import Accounts

@Suite("The ledger of attempts", .timeLimit(.minutes(5)))
struct AttemptLedgerTests {
  let anna = AttemptName.user("anna")
  var ledger = AttemptLedger()
  var now = Duration.seconds(1_000)

  /// Gives an answer if the ledger admits it, and returns the verdict; nil if the answer would have to wait.
  @discardableResult
  mutating func answer(_ name: AttemptName, isRight: Bool = false) -> Verdict? {
    switch ledger.admit(name, at: now) {
    case .check: ledger.settle(name, isRight: isRight, at: now).verdict
    case .refuse: .tooManyAttempts
    case .wait: nil
    }
  }

  mutating func answers(_ count: Int, _ name: AttemptName) -> [Verdict?] { (0..<count).map { _ in answer(name) } }

  @Test("The fifth wrong answer in a row is one too many, for users and for unknown names")
  mutating func fifthWrongAnswerInARowIsRefused() {
    for name in [anna, .stranger("x")] {
      #expect(answers(6, name) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts, .tooManyAttempts])
    }
  }

  @Test("A refused name is refused for 30 s, right or wrong, and trying does not extend this")
  mutating func nameIsRefusedForThirtySeconds() {
    _ = answers(5, anna)
    now += .milliseconds(29_999)
    #expect(answer(anna, isRight: true) == .tooManyAttempts)
    #expect(answer(.user("bert"), isRight: true) == .accepted)
    now += .milliseconds(1)
    #expect(answers(5, anna) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
  }

  @Test("A right answer resets the count")
  mutating func rightAnswerResetsTheCount() {
    for _ in 1...3 {
      #expect(answers(4, anna) == [.wrong, .wrong, .wrong, .wrong])
      #expect(answer(anna, isRight: true) == .accepted)
    }
  }

  @Test("Pending guesses count, and the sixth waits for a verdict")
  mutating func pendingGuessesCount() {
    for _ in 1...5 { #expect(ledger.admit(anna, at: now) == .check) }
    #expect(ledger.admit(anna, at: now) == .wait)
    #expect(ledger.admit(.user("bert"), at: now) == .check)
    #expect(ledger.settle(anna, isRight: false, at: now).verdict == .wrong)
    #expect(ledger.admit(anna, at: now) == .wait)
    ledger.giveBack(anna)
    #expect(ledger.admit(anna, at: now) == .check)
    #expect(ledger.admit(anna, at: now) == .wait)
    #expect(ledger.settle(anna, isRight: true, at: now).verdict == .accepted)
    #expect(ledger.admit(anna, at: now) == .check)
  }

  @Test("Of five wrong guesses at once the last one is one too many")
  mutating func fiveGuessesAtOnceAreFive() {
    for _ in 1...5 { _ = ledger.admit(anna, at: now) }
    let verdicts = (1...5).map { _ in ledger.settle(anna, isRight: false, at: now).verdict }
    #expect(verdicts == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
    #expect(ledger.admit(anna, at: now) == .refuse)
  }

  @Test("A guess that is given back does not count")
  mutating func guessGivenBackDoesNotCount() {
    for _ in 1...20 {
      #expect(ledger.admit(anna, at: now) == .check)
      ledger.giveBack(anna)
    }
    #expect(answers(5, anna) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
  }

  @Test("The ledger reports only changes for storage")
  mutating func onlyChangesAreReportedForStorage() {
    let stays = settle(isRight: true)
    #expect(stays.changes == [:])
    #expect(settle().changes == [anna: AttemptTally(wrong: 1)])
    for _ in 1...3 { _ = settle() }
    #expect(settle().changes == [anna: AttemptTally(refusedUntil: now + .seconds(30))])
    now += .seconds(30)
    #expect(settle(isRight: true).changes == [anna: .clean])
    #expect(settle(isRight: true).changes == [:])
  }

  private mutating func settle(isRight: Bool = false) -> AttemptLedger.Settlement {
    #expect(ledger.admit(anna, at: now) == .check)
    return ledger.settle(anna, isRight: isRight, at: now)
  }

  @Test("Counts of other processes are adopted, but refuse for at most 30 s and leave at least one guess")
  mutating func adoptedCountsAreBounded() {
    ledger.adopt([anna: AttemptTally(wrong: 3), .user("bert"): AttemptTally(refusedUntil: now + .seconds(3_600))], at: now)
    ledger.adopt([.user("carl"): AttemptTally(wrong: 99), .user("dora"): AttemptTally(wrong: -1)], at: now)
    #expect(answers(2, anna) == [.wrong, .tooManyAttempts])
    #expect(answers(1, .user("carl")) == [.tooManyAttempts])
    #expect(answers(5, .user("dora")) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
    now += .milliseconds(29_999)
    #expect(answer(.user("bert"), isRight: true) == .tooManyAttempts)
    now += .milliseconds(1)
    #expect(answer(.user("bert"), isRight: true) == .accepted)
  }

  @Test("A pending answer is refused if another process's count was adopted meanwhile, and extends nothing")
  mutating func pendingAnswerIsRefusedAfterAnAdoptedRefusal() {
    #expect(ledger.admit(anna, at: now) == .check)
    ledger.adopt([anna: AttemptTally(refusedUntil: now + .seconds(10))], at: now)
    #expect(ledger.settle(anna, isRight: true, at: now) == .init(verdict: .tooManyAttempts, changes: [:]))
    now += .seconds(10)
    #expect(answer(anna, isRight: true) == .accepted)
  }

  @Test("The oldest unknown names are forgotten first, refused ones last, and users never")
  mutating func oldestUnknownNamesAreForgottenFirst() {
    ledger = AttemptLedger(capacity: 3)
    func stranger(_ number: Int) -> AttemptName { .stranger("\(number)") }
    _ = answers(4, anna)
    _ = answers(5, stranger(1))
    for number in 2...3 { answer(stranger(number)) }
    #expect(ledger.admit(stranger(4), at: now) == .check)
    #expect(
      ledger.settle(stranger(4), isRight: false, at: now).changes
        == [stranger(4): AttemptTally(wrong: 1), stranger(2): .clean])
    #expect(answer(stranger(1)) == .tooManyAttempts)
    #expect(answer(anna) == .tooManyAttempts)
  }

  @Test("Expired refusals are forgotten when something else is stored")
  mutating func expiredRefusalsAreForgotten() {
    _ = answers(5, anna)
    now += .seconds(30)
    #expect(ledger.admit(.user("bert"), at: now) == .check)
    #expect(
      ledger.settle(.user("bert"), isRight: false, at: now).changes
        == [.user("bert"): AttemptTally(wrong: 1), anna: .clean])
  }

  @Test("No random sequence allows more than five guesses between two right answers or refusals", arguments: 0..<8)
  mutating func randomSequencesNeverExceedFiveGuesses(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var underWay = 0
    var wrong = 0
    for _ in 1...5_000 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        if ledger.admit(anna, at: now) == .check { underWay += 1 }
      case 5..<8 where underWay > 0:
        underWay -= 1
        let isRight = Int.random(in: 0..<20, using: &generator) == 0
        let verdict = ledger.settle(anna, isRight: isRight, at: now).verdict
        wrong = verdict == .wrong ? wrong + 1 : 0
      case 8 where underWay > 0:
        underWay -= 1
        ledger.giveBack(anna)
      default:
        now += .seconds(1)
      }
      guard wrong < 5, wrong + underWay <= 5 else {
        Issue.record("\(wrong) wrong answers and \(underWay) under way")
        return
      }
    }
  }
}
