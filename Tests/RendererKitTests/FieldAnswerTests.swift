import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("The answer to a field", .timeLimit(.minutes(5)))
struct FieldAnswerTests {
  private let choices = try? Schema(json: [
    "title": "Order", "oneOf": [["const": "original", "title": "As written"], ["const": "author", "title": "By author"]],
  ])

  private func answer(_ line: String, _ schema: Schema, isRequired: Bool = true, offered: JSONValue? = nil) -> FieldAnswer {
    FieldAnswer(line, for: Field("field", schema, isRequired: isRequired), offered: offered)
  }

  private func isWrong(_ answer: FieldAnswer) -> Bool { if case .wrong = answer { true } else { false } }

  @Test("The answer to a field gets the type of its schema")
  func fieldAnswerGetsTheTypeOfTheSchema() {
    #expect(answer("3", .integer(title: "Age")) == .value(3))
    #expect(answer("2.5", .number(title: "Size")) == .value(2.5))
    #expect(answer("3", .string(title: "Name")) == .value("3"))
    #expect(isWrong(answer("three", .integer(title: "Age"))))
    #expect(isWrong(answer("-1", .integer(title: "Age", range: 0...9))))
  }

  @Test("A Boolean field takes yes or no", arguments: [("y", true), ("YES", true), ("true", true), ("n", false), ("No", false)])
  func booleanFieldTakesYesOrNo(line: String, value: Bool) {
    #expect(answer(line, .boolean(title: "Sure")) == .value(.boolean(value)))
    #expect(isWrong(answer("maybe", .boolean(title: "Sure"))))
  }

  @Test("A choice is taken by its number, its value, or its title", arguments: ["2", "author", "by AUTHOR"])
  func choiceIsTakenByNumberValueOrTitle(line: String) throws {
    let schema = try #require(choices)
    #expect(answer(line, schema) == .value("author"))
    #expect(answer("3", schema) == .wrong("Order is not one of the choices"))
  }

  @Test("An empty line takes the default of the field")
  func emptyLineTakesTheDefault() throws {
    #expect(answer("", .string(title: "Name"), offered: "Jo") == .value("Jo"))
    #expect(answer("", try #require(choices), offered: "author") == .value("author"))
  }

  @Test("An optional field may be left out, and a required one may not")
  func optionalFieldMayBeLeftOut() {
    #expect(answer("", .integer(title: "Age"), isRequired: false) == .leftOut)
    #expect(answer("", .integer(title: "Age")) == .wrong("Age is required"))
  }
}
