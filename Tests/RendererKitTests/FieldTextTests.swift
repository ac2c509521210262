import CoordinatorKit
import RendererKit
import Testing

@Suite("What was typed for a field", .timeLimit(.minutes(5)))
struct FieldTextTests {
  @Test(
    "A number that keeps all its digits is read, and what only a program takes for one stays text",
    arguments: [
      ("9007199254740993", 9_007_199_254_740_993), ("4611686018427387904", 4_611_686_018_427_387_904), ("-3", -3), ("+3", 3),
      ("2.5", 2.5), ("002.50", 2.5), ("0.1", 0.1), ("1e3", 1000), ("1E+23", 1e23), ("0.30000000000000004", 0.30000000000000004),
      ("-0.0", 0), ("0x10", "0x10"), ("inf", "inf"),
      ("nan", "nan"), ("0x1p3", "0x1p3"), ("1e999", "1e999"), ("", ""),
    ] as [(String, JSONValue)])
  func numbersAreRead(text: String, value: JSONValue) {
    #expect(FieldText.value(of: text, in: .number(title: "Number")) == value)
  }

  @Test(
    "A number of which digits would be lost is refused with the reason",
    arguments: [
      ("12345678901234567890", "has more digits than can be stored exactly"),
      ("0.12345678901234567890", "has more digits than can be stored exactly"),
      ("1e-400", "has more digits than can be stored exactly"),
      ("0.1e-9223372036854775808", "has more digits than can be stored exactly"),
      ("1e999", "is too large a number"), ("five", "must be a number"), (".", "must be a number"), ("5 5", "must be a number"),
    ])
  func roundedNumbersAreRefused(text: String, reason: String) {
    let field = Field("size", .number(title: "Size"))
    #expect(FieldAnswer(text, for: field, offered: nil) == .wrong("Size \(reason)"))
  }

  @Test(
    "A whole number that is too large is not called a fraction",
    arguments: [
      ("12345678901234567890", "is too large a number"), ("-12345678901234567890", "is too large a number"),
      ("9223372036854775807", nil), ("2.5", "must be a whole number"), ("-", "must be a whole number"),
    ])
  func largeWholeNumbersAreRefused(text: String, reason: String?) {
    let answer = FieldAnswer(text, for: Field("count", .integer(title: "Count")), offered: nil)
    #expect(answer == (reason.map { .wrong("Count \($0)") } ?? .value(.integer(.max))))
  }
}
