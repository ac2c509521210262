import CoordinatorKit
import Testing

@testable import CoordinatorTools

@Suite("The answer to a field")
struct FieldAnswerTests {
  private let choices = try? Schema(json: [
    "title": "Order", "oneOf": [["const": "original", "title": "As written"], ["const": "author", "title": "By author"]],
  ])

  private func answer(_ line: String, _ schema: Schema, isRequired: Bool = true, offered: JSONValue? = nil) -> FieldAnswer {
    FieldAnswer(line, for: Field("field", schema, isRequired: isRequired), offered: offered)
  }

  private func isWrong(_ answer: FieldAnswer) -> Bool { if case .wrong = answer { true } else { false } }

  @Test("is typed as the schema asks for")
  func types() {
    #expect(answer("3", .integer(title: "Age")) == .value(3))
    #expect(answer("2.5", .number(title: "Size")) == .value(2.5))
    #expect(answer("3", .string(title: "Name")) == .value("3"))
    #expect(isWrong(answer("three", .integer(title: "Age"))))
    #expect(isWrong(answer("-1", .integer(title: "Age", range: 0...9))))
  }

  @Test("is yes or no", arguments: [("y", true), ("YES", true), ("true", true), ("n", false), ("No", false)])
  func booleans(line: String, value: Bool) {
    #expect(answer(line, .boolean(title: "Sure")) == .value(.boolean(value)))
    #expect(isWrong(answer("maybe", .boolean(title: "Sure"))))
  }

  @Test("is a choice by its number, its value or its title", arguments: ["2", "author", "by AUTHOR"])
  func choice(line: String) throws {
    let schema = try #require(choices)
    #expect(answer(line, schema) == .value("author"))
    #expect(answer("3", schema) == .wrong("choose one of the above"))
  }

  @Test("is what is offered if the line is empty")
  func offered() throws {
    #expect(answer("", .string(title: "Name"), offered: "Jo") == .value("Jo"))
    #expect(answer("", try #require(choices), offered: "author") == .value("author"))
  }

  @Test("may be left out if the field is optional")
  func leftOut() {
    #expect(answer("", .integer(title: "Age"), isRequired: false) == .leftOut)
    #expect(answer("", .integer(title: "Age")) == .wrong("an answer is needed"))
  }
}
