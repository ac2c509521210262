import Forms
import Foundation
import Testing

@Suite("JSON values", .timeLimit(.minutes(5)))
struct JSONValueTests {
  @Test("A JSON value can be written as a literal")
  func jsonValueIsWrittenAsLiteral() {
    let value: JSONValue = ["a": [1, 2.5, "x", true, .null]]
    #expect(value == .object(["a": .array([.integer(1), .number(2.5), .string("x"), .boolean(true), .null])]))
  }

  @Test("A literal with a duplicate key keeps the last value")
  func duplicateLiteralKeyKeepsLast() {
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value["a"] == 2)
  }

  @Test(
    "A number without a fraction becomes an integer if it fits",
    arguments: [
      (3.0, JSONValue.integer(3)), (-0.0, .integer(0)), (2.5, .number(2.5)), (1e300, .number(1e300)),
      (9_223_372_036_854_775_808, .number(9_223_372_036_854_775_808)), (-9_223_372_036_854_775_808, .integer(.min)),
    ])
  func wholeNumberBecomesInteger(number: Double, expected: JSONValue) {
    #expect(JSONValue(number) == expected)
  }

  @Test("A number is read as an integer or as a floating-point number if nothing is lost")
  func numberIsReadAsEitherKind() {
    #expect(JSONValue.number(3).integer == 3)
    #expect(JSONValue.number(3.5).integer == nil)
    #expect(JSONValue.number(.nan).integer == nil)
    #expect(JSONValue.integer(3).number == 3)
    #expect(JSONValue.string("3").integer == nil)
  }

  @Test("A null member reads as absent, and any index is allowed")
  func nullMemberReadsAsAbsent() {
    let value: JSONValue = ["a": .null, "b": [1]]
    #expect(value["a"] == nil)
    #expect(value["c"] == nil)
    #expect(value["b"]?[0] == 1)
    #expect(value["b"]?[1] == nil)
    #expect(value["b"]?[-1] == nil)
    #expect(value[0] == nil)
  }

  @Test("A JSON value knows its nesting depth")
  func jsonValueKnowsItsDepth() {
    #expect(JSONValue.string("x").depth == 0)
    #expect(([] as JSONValue).depth == 1)
    #expect((["a": [1, [2]], "b": 3] as JSONValue).depth == 3)
  }

  @Test("A very deep JSON value is measured and written without recursion")
  func deepValueIsHandledWithoutRecursion() {
    var value: JSONValue = 1
    for _ in 0..<5_000 { value = [value] }
    #expect(value.depth == 5_000)
    #expect(value.canonicalText.utf8.count == 10_001)
  }
}

@Suite("Canonical text of JSON values", .timeLimit(.minutes(5)))
struct CanonicalTextTests {
  @Test("The canonical text sorts keys by code points and omits null members")
  func keysAreSortedByCodePoints() {
    let value: JSONValue = ["b": 1, "a": [true, .null, 1.5], "é": "x", "Z": [:], "z": .null]
    #expect(value.canonicalText == #"{"Z":{},"a":[true,null,1.5],"b":1,"é":"x"}"#)
  }

  @Test("The canonical text is the same for equal numbers")
  func equalNumbersHaveEqualText() {
    #expect(JSONValue.number(3).canonicalText == "3")
    #expect(JSONValue.number(1e300).canonicalText == "1e+300")
    #expect(JSONValue.number(0.1).canonicalText == "0.1")
    #expect(JSONValue.integer(.min).canonicalText == "-9223372036854775808")
    #expect(JSONValue.number(.infinity).canonicalText == "null")
  }

  @Test("The canonical text escapes the characters that JSON does not allow in a string")
  func controlCharactersAreEscaped() {
    #expect(JSONValue.string("\"\\\n\r\t\u{1}\u{1F}/é😀").canonicalText == #""\"\\\n\r\t\u0001\u001f/é😀""#)
  }

  @Test("Foundation's JSON decoder reads the canonical text as the same value")
  func foundationReadsCanonicalText() throws {
    let value: JSONValue = [
      "text": "q\"\\\u{0}\u{7F}\u{2028}😀", "numbers": [0, -1, 1.5, 1e-7, 123456789.123, .number(.leastNonzeroMagnitude)],
      "empty": [[], [:]], "flag": false,
    ]
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.canonicalText.utf8)) == value)
  }
}
