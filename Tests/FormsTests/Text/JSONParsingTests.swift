import Foundation
import Testing

@testable import Forms

@Suite("Parsing JSON", .timeLimit(.minutes(5)))
struct JSONParsingTests {
  private func decodedByFoundation(_ text: String) -> JSONValue? {
    try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test(
    "A text has the value that Foundation finds in it",
    arguments: [
      "null", "true", " false\t\r\n", "0", "-0", "7", "-12", "9223372036854775807", "-9223372036854775807", "9223372036854775808",
      "18446744073709551615", "1.0", "1.5", "-2.5e-3", "1E2", "1e+2", "123456789012345678901234567890", "0.1", "5e-324",
      "9007199254740993", "\"\"", "\"a\"", "\"é水👩‍💻\"", #""\"\\\/\b\f\n\r\t""#, #""\u00e9\u6C34\ud83d\ude00\u0000""#,
      "[]", "[1]", "[1, [2, {}], \"x\"]", "[1,]", "{}", "{\"a\": 1}", "{\"a\": {\"b\": [null]}}", "{\"a\":1,\"a\":2}",
      "{\"a\":1,}", "\u{FEFF}1",
    ])
  func validTextsHaveFoundationsValue(text: String) throws {
    let value = try JSONValue(parsing: text.utf8)
    #expect(value == decodedByFoundation(text))
  }

  @Test(
    "What is not JSON is refused",
    arguments: [
      "", " ", "nul", "nulll", "True", "01", "-", "-a", "+1", "1.", ".5", "1e", "1e+", "1e400", "NaN", "Infinity", "0x1", "\"",
      "\"a", "\"\u{1}\"", "\"\n\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "'a'",
      "[", "[1", "[1 2]", "[,]", "[,1]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\" 1}", "{a:1}", "{,}", "{\"a\":1,",
      "{1:2}", "}", "1 2", "[1] x", "// comment\n1", "\u{FEFF}",
    ])
  func otherTextsAreRefused(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
    #expect(decodedByFoundation(text) == nil)
  }

  @Test(
    "An object with two names that are canonically equivalent, but not the same, is refused at whatever depth",
    arguments: [
      "{\"caf\u{E9}\": 1, \"cafe\u{301}\": 2}", "{\"cafe\u{301}\": 1, \"caf\u{E9}\": 2}", #"{"caf\u00e9": 1, "cafe\u0301": 2}"#,
      "[{\"a\": {\"K\": 1, \"\u{212A}\": 1}}]", "{\";\": 1, \"b\": 2, \"\u{37E}\": 3}",
    ])
  func equivalentNamesAreRefused(text: String) {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
    #expect(error?.reason == .name)
  }

  @Test("An object with the same name twice, and two objects with equivalent names, are accepted")
  func otherNamesAreAccepted() throws {
    #expect(try JSONValue(parsing: "{\"caf\u{E9}\": 1, \"caf\u{E9}\": 2}".utf8) == ["caf\u{E9}": 1])
    #expect(try JSONValue(parsing: "[{\"caf\u{E9}\": 1}, {\"cafe\u{301}\": 2}]".utf8).array?.count == 2)
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]])
  func otherBytesAreRefused(bytes: [UInt8]) {
    #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
  }

  @Test("An error names its line and not the text")
  func errorsNameTheLine() {
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: "{\n  \"password\":\n  hunter2\n}".utf8) }
    #expect(error?.description == "an unexpected character in line 3")
  }

  @Test("512 levels are accepted, and more are refused however many there are")
  func depthIsLimited() throws {
    func nested(_ levels: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
    }
    #expect(try JSONValue(parsing: nested(512, "[", "]").utf8).depth == 512)
    #expect(try JSONValue(parsing: nested(512, "{\"a\":", "}").utf8).depth == 512)
    for levels in [513, 1_000_000] {
      for text in [nested(levels, "[", "]"), nested(levels, "{\"a\":", "}"), String(repeating: "[", count: levels)] {
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text.utf8) }
      }
    }
  }

  @Test("No text makes the parser trap, and what it accepts, Foundation reads alike", arguments: [1, 2, 3, 4])
  func randomTextsAgreeWithFoundation(seed: UInt64) {
    var generator = SmallGenerator(state: seed)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\"", "\\", "\\u00e9", "\\ud83d", "1", "-", "0", ".5", "e3", "true", "null",
      " ",
      "\n", "é",
    ]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined()
      let ours = try? JSONValue(parsing: text.utf8)
      let theirs = decodedByFoundation(text)
      #expect(ours == theirs, "seed \(seed): \(text.debugDescription)")
    }
  }

  @Test("Indented text is the same value on several lines, with sorted keys")
  func indentedTextIsTheSameValue() throws {
    let value: JSONValue = ["b": [1, 2.5, []], "a": ["x": "é\n", "y": .null], "c": [:]]
    let text = value.indentedText
    #expect(
      text == """
        {
          "a" : {
            "x" : "é\\n",
            "y" : null
          },
          "b" : [
            1,
            2.5,
            []
          ],
          "c" : {}
        }
        """)
    #expect(try JSONValue(parsing: text.utf8) == value)
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SmallGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
