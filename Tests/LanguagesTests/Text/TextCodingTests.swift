import Foundation
import Languages
import Testing

@Suite("Stored texts", .timeLimit(.minutes(1)))
struct TextCodingTests {
  @Test(
    "A text is the same after it has been stored and read",
    arguments: [
      "Log in" as Text, "", Text(verbatim: "{Log in}"), Text("Open", context: "verb"),
      Text("{a} {b} {c}", ["a": "x", "b": -1, "c": Text("{d}", ["d": Text("Open", context: "verb")])]),
      Text(one: "{count} visit", other: "{count} visits", count: .min, ["a": "b"], context: "c"),
    ])
  func storedTextIsTheSame(text: Text) throws {
    #expect(try JSONDecoder().decode([Text].self, from: JSONEncoder().encode([text])) == [text])
  }

  @Test("A string that was stored before texts had keys is verbatim")
  func storedStringIsVerbatim() throws {
    #expect(try decoded(#""{Log in}""#) == Text(verbatim: "{Log in}"))
  }

  @Test("A text is stored by its key and its values")
  func storedFormIsStable() throws {
    let json = #"{"context":"c","count":2,"key":"k","other":"o","values":{"a":"b","t":{"key":"u"}}}"#
    let text = Text(one: "k", other: "o", count: 2, ["a": "b", "t": "u" as Text], context: "c")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(text), as: UTF8.self) == json)
    #expect(try decoded(json) == text)
  }

  @Test(
    "What is not a text is refused",
    arguments: ["1", "{}", #"{"key":1}"#, #"{"key":"k","other":"o"}"#, #"{"key":"k","values":{"a":[]}}"#])
  func otherThingsAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try decoded(json) }
  }

  private func decoded(_ json: String) throws -> Text { try JSONDecoder().decode([Text].self, from: Data("[\(json)]".utf8))[0] }
}
