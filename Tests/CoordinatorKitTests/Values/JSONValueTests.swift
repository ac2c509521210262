import CoordinatorKit
import Foundation
import Testing

@Suite("A JSON value")
struct JSONValueTests {
  @Test("is written as literals")
  func literals() {
    let value: JSONValue = ["a": [1, 2.5, "x", true, .null]]
    #expect(value == .object(["a": .array([.integer(1), .number(2.5), .string("x"), .boolean(true), .null])]))
  }

  @Test("of a literal with a key given twice keeps the last")
  func literalWithOneKeyTwice() {
    let value: JSONValue = ["a": 1, "a": 2]
    #expect(value["a"] == 2)
  }

  @Test(
    "is an integer if it is a number without a fraction that fits",
    arguments: [
      (3.0, JSONValue.integer(3)), (-0.0, .integer(0)), (2.5, .number(2.5)), (1e300, .number(1e300)),
      (9_223_372_036_854_775_808, .number(9_223_372_036_854_775_808)), (-9_223_372_036_854_775_808, .integer(.min)),
    ])
  func normalization(number: Double, expected: JSONValue) {
    #expect(JSONValue(number) == expected)
  }

  @Test("gives a number as either kind where that loses nothing")
  func numbers() {
    #expect(JSONValue.number(3).integer == 3)
    #expect(JSONValue.number(3.5).integer == nil)
    #expect(JSONValue.number(.nan).integer == nil)
    #expect(JSONValue.integer(3).number == 3)
    #expect(JSONValue.string("3").integer == nil)
  }

  @Test("takes a null member for an absent one, and any index")
  func subscripts() {
    let value: JSONValue = ["a": .null, "b": [1]]
    #expect(value["a"] == nil)
    #expect(value["c"] == nil)
    #expect(value["b"]?[0] == 1)
    #expect(value["b"]?[1] == nil)
    #expect(value["b"]?[-1] == nil)
    #expect(value[0] == nil)
  }

  @Test("knows how deep it is")
  func depth() {
    #expect(JSONValue.string("x").depth == 0)
    #expect(([] as JSONValue).depth == 1)
    #expect((["a": [1, [2]], "b": 3] as JSONValue).depth == 3)
  }

  @Test("that is very deep is measured and written without recursion")
  func veryDeep() {
    var value: JSONValue = 1
    for _ in 0..<5_000 { value = [value] }
    #expect(value.depth == 5_000)
    #expect(value.canonicalText.utf8.count == 10_001)
  }
}

@Suite("The canonical text of a JSON value")
struct CanonicalTextTests {
  @Test("has its keys in the order of their code points, and no null members")
  func order() {
    let value: JSONValue = ["b": 1, "a": [true, .null, 1.5], "é": "x", "Z": [:], "z": .null]
    #expect(value.canonicalText == #"{"Z":{},"a":[true,null,1.5],"b":1,"é":"x"}"#)
  }

  @Test("is the same for numbers that are the same")
  func numbers() {
    #expect(JSONValue.number(3).canonicalText == "3")
    #expect(JSONValue.number(1e300).canonicalText == "1e+300")
    #expect(JSONValue.number(0.1).canonicalText == "0.1")
    #expect(JSONValue.integer(.min).canonicalText == "-9223372036854775808")
    #expect(JSONValue.number(.infinity).canonicalText == "null")
  }

  @Test("escapes what JSON does not let stand in a text")
  func escapes() {
    #expect(JSONValue.string("\"\\\n\r\t\u{1}\u{1F}/é😀").canonicalText == #""\"\\\n\r\t\u0001\u001f/é😀""#)
  }

  @Test("is read as the same value by another JSON reader")
  func anotherReader() throws {
    let value: JSONValue = [
      "text": "q\"\\\u{0}\u{7F}\u{2028}😀", "numbers": [0, -1, 1.5, 1e-7, 123456789.123, .number(.leastNonzeroMagnitude)],
      "empty": [[], [:]], "flag": false,
    ]
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(value.canonicalText.utf8)) == value)
  }
}
