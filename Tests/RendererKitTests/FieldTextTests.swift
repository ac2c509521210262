import CoordinatorKit
import RendererKit
import Testing

@Suite("What was typed for a field", .timeLimit(.minutes(5)))
struct FieldTextTests {
  @Test(
    "A number keeps all its digits, and what only a program takes for one stays text",
    arguments: [
      ("9007199254740993", 9_007_199_254_740_993), ("-3", -3), ("2.5", 2.5), ("1e3", 1000), ("0x10", "0x10"), ("inf", "inf"),
      ("nan", "nan"), ("0x1p3", "0x1p3"), ("1e999", "1e999"), ("", ""),
    ] as [(String, JSONValue)])
  func numbersAreRead(text: String, value: JSONValue) {
    #expect(FieldText.value(of: text, in: .number(title: "Number")) == value)
  }
}
