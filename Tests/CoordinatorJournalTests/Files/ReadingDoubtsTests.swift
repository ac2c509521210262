import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: When damage is believed", .timeLimit(.minutes(5)))
struct ReadingDoubtsTests {
  private let damage = DatabaseFile.Unusable(reason: "a page is wrong")
  private let failure = SQLiteError(code: 10 | (1 << 8))

  /// Returns the verdict on each of a sequence of errors.
  private func verdicts(_ errors: [any Error]) -> [String] {
    var doubts = ReadingDoubts()
    return errors.map { error in
      switch doubts.verdict(on: error) {
      case .readAgain: "again"
      case .fail: "fail"
      case .damaged: "damaged"
      }
    }
  }

  @Test("Rule 10: Damage is believed when it is found twice in a row, and not before")
  func damageSeenTwiceIsBelieved() { #expect(verdicts([damage, damage]) == ["again", "damaged"]) }

  @Test("Rule 10: Damage is not believed if a read failed in between, since the disk may be at fault")
  func failedReadResetsBelief() {
    #expect(verdicts([damage, failure, damage, failure]) == ["again", "again", "again", "fail"])
    #expect(verdicts([failure, damage, damage]) == ["again", "again", "damaged"])
  }

  @Test("Rule 10: An error that says nothing about the file is never taken for damage")
  func unrelatedErrorIsNeverDamage() {
    #expect(verdicts([failure, failure]) == ["again", "fail"])
    #expect(verdicts([JournalError.newer(file: "f")]) == ["fail"])
    #expect(verdicts([SQLiteError(code: 13)]) == ["fail"])
    #expect(verdicts([SQLiteError(code: 8), SQLiteError(code: 8)]) == ["again", "fail"])
  }
}
