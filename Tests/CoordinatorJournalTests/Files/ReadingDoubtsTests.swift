import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: damage is believed")
struct ReadingDoubtsTests {
  private let damage = DatabaseFile.Unusable(reason: "a page is wrong")
  private let failure = SQLiteError(code: 10 | (1 << 8))

  /// What is done about errors, one after the other.
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

  @Test("when it is found twice in a row, and not before")
  func twice() { #expect(verdicts([damage, damage]) == ["again", "damaged"]) }

  @Test("not when a read failed in between, since the disk may be what is wrong")
  func failing() {
    #expect(verdicts([damage, failure, damage, failure]) == ["again", "again", "again", "fail"])
    #expect(verdicts([failure, damage, damage]) == ["again", "again", "damaged"])
  }

  @Test("never of an error that says nothing of the file")
  func others() {
    #expect(verdicts([failure, failure]) == ["again", "fail"])
    #expect(verdicts([JournalError.newer(file: "f")]) == ["fail"])
    #expect(verdicts([SQLiteError(code: 13)]) == ["fail"])
    #expect(verdicts([SQLiteError(code: 8), SQLiteError(code: 8)]) == ["again", "fail"])
  }
}
