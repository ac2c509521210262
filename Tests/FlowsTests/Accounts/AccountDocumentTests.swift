import Testing

@testable import Accounts

@Suite("The account document", .timeLimit(.minutes(5)))
struct AccountDocumentTests {
  func document(_ text: String) throws -> AccountDocument { try AccountDocument(text: Array(text.utf8)) }

  @Test("The document lists the users and the counted attempts")
  func documentListsUsersAndAttempts() throws {
    let setting = NameHasher().setting
    let document = try document(
      """
      {"users": {"anna": {"hash": "x", "note": 1}, "bert": {"hash": ""}},
       "attempts": {"users": {"anna": {"wrong": 3}, "bert": {"refusedUntil": 5, "note": null}, "carl": {}},
                    "strangers": {"h": {"wrong": 1}}, "salt": "\(setting)", "note": []}}
      """)
    #expect(document.hashes == ["anna": "x", "bert": ""])
    #expect(document.attempts.count == 3)
    #expect(document.attempts[.user("anna")]?.wrong == 3)
    #expect(document.attempts[.user("bert")]?.refusedUntil == 5)
    #expect(document.attempts[.stranger("h")]?.wrong == 1)
    #expect(document.hasher?.setting == setting)
  }

  @Test(
    "A damaged document is refused with a reason that repeats none of its content",
    arguments: [
      "", "{", "[]", "null", "{}", #"{"users": []}"#, #"{"users": {"anna": "$6$sesame"}}"#, #"{"users": {"anna": {}}}"#,
      #"{"users": {"anna": {"hash": 1}}}"#, #"{"users": {}, "attempts": "sesame"}"#, #"{"users": {}, "attempts": {"users": 1}}"#,
      #"{"users": {}, "attempts": {"users": {"anna": 1}}}"#,
      #"{"users": {}, "attempts": {"strangers": {"sesame": {"wrong": "x"}}}}"#,
      #"{"users": {}, "attempts": {"users": {"anna": {"refusedUntil": 1.5}}}}"#,
      #"{"users": {}, "attempts": {"users": {"anna": {"wrong": 1e30}}}}"#, #"{"users": {}, "attempts": {"salt": "$6$sesame"}}"#,
      #"{"users": {"anna": {"hash": "sesame"}}"#, "\u{FEFF}{}", String(repeating: "[", count: 100_000),
    ])
  func damagedDocumentIsRefusedWithoutItsContent(text: String) throws {
    let damage = #expect(throws: AccountDocument.Damage.self) { try document(text) }
    #expect(damage?.reason.contains("sesame") == false)
  }

  @Test("Unknown keys are kept at every level")
  func unknownKeysAreKept() throws {
    let time = ManualTime()
    let hasher = NameHasher()
    var document = try document(
      """
      {"a": [1, 2.5, null, true, "ü/\\n"], "users": {"anna": {"hash": "x", "b": {"c": null}}},
       "attempts": {"d": 1, "users": {"anna": {"wrong": 4, "e": "f"}, "bert": {"wrong": 1}}}}
      """)
    document.note(
      [
        .user("anna"): AttemptRecord(AttemptTally(refusedUntil: time.elapsed + .seconds(30)), time: time),
        .user("bert"): AttemptRecord(.clean, time: time), .stranger("h"): AttemptRecord(AttemptTally(wrong: 2), time: time),
      ], hasher: hasher)
    let expected =
      """
      {"a": [1, 2.5, null, true, "ü/\\n"], "users": {"anna": {"hash": "x", "b": {"c": null}}},
       "attempts": {"d": 1, "users": {"anna": {"refusedUntil": 1700000030000, "e": "f"}}, "strangers": {"h": {"wrong": 2}},
       "salt": "\(hasher.setting)"}}
      """
    #expect(try document.text() == self.document(expected).text())
    #expect(try AccountDocument(text: document.text()).attempts == document.attempts)
  }

  @Test("A refusal time at the limits of the clock does not overflow", arguments: [Int64.min, -1, 0, .max])
  func refusalTimesAtTheLimitsDoNotOverflow(moment: Int64) throws {
    let time = ManualTime()
    let record = try #require(AttemptRecord(json: ["refusedUntil": .integer(moment)]))
    let tally = record.tally(time: time)
    #expect(tally.isRefused(at: time.elapsed) == (moment == .max))
  }
}
