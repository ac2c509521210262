import Testing

@testable import Accounts

@Suite("The ledger of wrong answers")
struct AttemptLedgerTests {
  let anna = AttemptName.user("anna")
  var ledger = AttemptLedger()
  var now = Duration.seconds(1_000)

  /// Gives an answer, if that is allowed.
  @discardableResult
  mutating func answer(_ name: AttemptName, isRight: Bool = false) -> Verdict? {
    switch ledger.admit(name, at: now) {
    case .check: ledger.settle(name, isRight: isRight, at: now).verdict
    case .refuse: .tooManyAttempts
    case .wait: nil
    }
  }

  mutating func answers(_ count: Int, _ name: AttemptName) -> [Verdict?] { (0..<count).map { _ in answer(name) } }

  @Test("the fifth wrong answer in a row is one too many, for users and for names that nobody has")
  mutating func fiveWrong() {
    for name in [anna, .stranger("x")] {
      #expect(answers(6, name) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts, .tooManyAttempts])
    }
  }

  @Test("a refused name is refused for 30 s, right or wrong, and no longer for having tried")
  mutating func refusing() {
    _ = answers(5, anna)
    now += .milliseconds(29_999)
    #expect(answer(anna, isRight: true) == .tooManyAttempts)
    #expect(answer(.user("bert"), isRight: true) == .accepted)
    now += .milliseconds(1)
    #expect(answers(5, anna) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
  }

  @Test("a right answer starts the count anew")
  mutating func resetting() {
    for _ in 1...3 {
      #expect(answers(4, anna) == [.wrong, .wrong, .wrong, .wrong])
      #expect(answer(anna, isRight: true) == .accepted)
    }
  }

  @Test("guesses under way count: the sixth waits for a verdict")
  mutating func underWay() {
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

  @Test("five at once are five: the last of them is the one too many")
  mutating func fiveAtOnce() {
    for _ in 1...5 { _ = ledger.admit(anna, at: now) }
    let verdicts = (1...5).map { _ in ledger.settle(anna, isRight: false, at: now).verdict }
    #expect(verdicts == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
    #expect(ledger.admit(anna, at: now) == .refuse)
  }

  @Test("a check that is given back leaves no trace")
  mutating func givingBack() {
    for _ in 1...20 {
      #expect(ledger.admit(anna, at: now) == .check)
      ledger.giveBack(anna)
    }
    #expect(answers(5, anna) == [.wrong, .wrong, .wrong, .wrong, .tooManyAttempts])
  }

  @Test("says what has to be kept, and nothing where nothing changed")
  mutating func changes() {
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

  @Test("takes over what others counted, but never more than 30 s and always with a guess left")
  mutating func adopting() {
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

  @Test("an answer that was under way when somebody else's count closed the door is refused, and extends nothing")
  mutating func closedMeanwhile() {
    #expect(ledger.admit(anna, at: now) == .check)
    ledger.adopt([anna: AttemptTally(refusedUntil: now + .seconds(10))], at: now)
    #expect(ledger.settle(anna, isRight: true, at: now) == .init(verdict: .tooManyAttempts, changes: [:]))
    now += .seconds(10)
    #expect(answer(anna, isRight: true) == .accepted)
  }

  @Test("forgets the oldest of the names that nobody has, refused ones last, and users never")
  mutating func forgetting() {
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

  @Test("forgets refusals that are over when something else is kept")
  mutating func forgettingOver() {
    _ = answers(5, anna)
    now += .seconds(30)
    #expect(ledger.admit(.user("bert"), at: now) == .check)
    #expect(
      ledger.settle(.user("bert"), isRight: false, at: now).changes
        == [.user("bert"): AttemptTally(wrong: 1), anna: .clean])
  }

  @Test("never gives out more than five guesses between two right answers or refusals, whatever comes when")
  mutating func randomly() {
    var generator = SystemRandomNumberGenerator()
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
