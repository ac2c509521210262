import CoordinatorKit
import Platform
import Testing

@testable import RendererKit
@testable import CoordinatorWeb

@Suite("The answer to a form", .timeLimit(.minutes(5)))
struct FormAnswerTests {
  private func payload(_ field: Field, _ values: String...) -> JSONValue? {
    let pairs = values.map { "field.f=\(PercentEncoding.encode($0))" }.joined(separator: "&")
    let body = (try? FormBody(decoding: Array(pairs.utf8))) ?? FormBody()
    return FormAnswer(body, fields: [Field("f", field.schema, isRequired: field.isRequired)]).payload["f"]
  }

  private func required(_ schema: Schema) -> Field { Field("f", schema) }
  private func optional(_ schema: Schema) -> Field { Field("f", schema).optional }

  @Test("Strings are taken as they are typed")
  func stringsAreTakenAsTyped() {
    let text = Schema.string(title: "T")
    #expect(payload(required(text), " a\r\nb ") == " a\nb ")
    #expect(payload(required(text), "") == "")
    #expect(payload(optional(text), "") == nil)
    #expect(payload(required(.string(title: "T", length: 1...5)), "") == nil)
    #expect(payload(required(text)) == nil)
  }

  @Test("Numbers are parsed, and what is not a number is passed on for the daemon to refuse")
  func numbersAreParsedOrPassedOn() {
    #expect(payload(required(.integer(title: "N")), " 42 ") == 42)
    #expect(payload(required(.integer(title: "N")), "4x") == "4x")
    #expect(payload(required(.integer(title: "N")), "") == nil)
    #expect(payload(required(.number(title: "N")), "1.5") == 1.5)
    #expect(payload(required(.number(title: "N")), "nan") == "nan")
  }

  @Test("An unchecked box means no")
  func uncheckedBoxMeansNo() {
    #expect(payload(required(.boolean(title: "B")), "true") == true)
    #expect(payload(optional(.boolean(title: "B"))) == false)
  }

  @Test("Choices get the types of the schema")
  func choicesGetTheTypesOfTheSchema() {
    let schema = Schema.choice(title: "C", of: [.init(1, title: "One"), .init("two", title: "Two")])
    #expect(payload(required(schema), "1") == 1)
    #expect(payload(required(schema), "two") == "two")
    #expect(payload(required(schema), "three") == "three")
    #expect(payload(optional(schema), "") == nil)
    let blank = Schema.choice(
      title: "C", of: [.init("x", title: "X"), .init(" x ", title: "Blanks"), .init(" ", title: "Blank")])
    #expect(payload(required(blank), " x ") == " x ")
    #expect(payload(optional(blank), " ") == " ")
  }

  @Test("Lists are checked in boxes or typed one value per line")
  func listsAreTickedOrTypedByLine() {
    let ticked = Schema.array(of: .choice(title: "C", [("a", "A"), ("b", "B")]), title: "L")
    #expect(payload(required(ticked), "a", "b") == ["a", "b"])
    #expect(payload(optional(ticked)) == nil)
    #expect(payload(required(ticked)) == [])
    #expect(payload(required(.array(of: .integer(title: "N"), title: "L")), "1\r\n\r\n2") == [1, 2])
  }

  @Test("A secret is taken literally, and an empty one counts as missing")
  func secretsAreTakenLiterally() {
    #expect(payload(required(.secret(title: "S")), " x ") == " x ")
    #expect(payload(required(.secret(title: "S")), "") == nil)
  }

  @Test("Fields that are not in the form are ignored")
  func unknownFieldsAreIgnored() {
    let answer = FormAnswer(["field.g": "x", "token": "y", "f": "z"], fields: [Field("f", .string(title: "F"))])
    #expect(answer.payload.isEmpty)
    #expect(answer.typed == ["f": []])
  }

  @Test("A draft contains the touched fields over the values of others, and no secret")
  func draftHoldsOnlyTouchedFields() {
    let fields = [
      Field("a", .string(title: "A")), Field("b", .integer(title: "B")), Field("c", .boolean(title: "C")),
      Field("s", .secret(title: "S")),
    ]
    let answer = FormAnswer(["field.a": "x", "field.b": "4x", "field.s": "canary"], fields: fields)
    let draft = answer.draft(replacing: ["field.b", "field.c", "field.s", "x"], in: ["a": "known", "b": 3])
    #expect(draft == ["a": "known", "b": "4x", "c": false])
    #expect(FormAnswer(FormBody(), fields: fields).draft(replacing: ["field.b"], in: ["b": 3]).isEmpty)
  }

  @Test("A field has the control that suits its schema")
  func fieldControlSuitsTheSchema() {
    #expect(FieldControl(.string(title: "T")) == .line(type: "text"))
    #expect(FieldControl(.string(title: "T", length: 0...2000)) == .area)
    #expect(FieldControl(.email(title: "T")) == .line(type: "email"))
    #expect(FieldControl(.secret(title: "T")) == .secret)
    #expect(FieldControl(.integer(title: "T")) == .number(isWhole: true))
    #expect(FieldControl(.boolean(title: "T")) == .checkbox)
  }
}
