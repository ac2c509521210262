import Forms
import Testing

@Suite("Validation of forms", .timeLimit(.minutes(5)))
struct SchemaValidationTests {
  @Test("Rule 7: An unsupported pattern is refused when its form is validated, before any payload arrives")
  func unmatchablePatternIsRefusedEarly() {
    let form = Form(Field("x", .string(title: "X", pattern: "(a)\\1")))
    let error = PatternError(position: 3, reason: .backreference)
    #expect(throws: SchemaError(at: "/properties/x/pattern", .badPattern(error, in: "(a)\\1"))) { try form.validate() }
    #expect(form.schema.check(["x": "aa"]) == ["x": "is not in the expected form"])
  }

  @Test("Rule 7: A pattern that may take long on the longest allowed string needs a lower maxLength or maxItems")
  func costlyPatternNeedsLowerBounds() throws {
    let large: Pattern = "(a?){2000}$"
    let error = SchemaError(at: "/properties/x/pattern", .costlyPattern(large.source))
    #expect(throws: error) { try Form(Field("x", .string(title: "X", pattern: large))).validate() }
    try Form(Field("x", .string(title: "X", length: ...10_000, pattern: large))).validate()
    let entry = Schema.string(title: "Y", length: ...10_000, pattern: large)
    let itemError = SchemaError(at: "/properties/x/items/pattern", .costlyPattern(large.source))
    #expect(throws: itemError) { try Form(Field("x", .array(of: entry, title: "X"))).validate() }
    try Form(Field("x", .array(of: entry, title: "X", count: ...3))).validate()
    try Form(Field("x", .string(title: "X", pattern: "^[a-z][a-z0-9-]*$"))).validate()
  }

  @Test("A form that no payload could be checked against is refused with an error that points to the place")
  func uncheckableFormIsRefused() {
    func refusal(_ fields: Field...) -> SchemaError? { #expect(throws: SchemaError.self) { try Form(fields).validate() } }
    let text = Schema.string(title: "X")
    #expect(refusal(Field("x", text), Field("x", text)) == SchemaError(at: "/properties", .duplicateProperty("x")))
    #expect(refusal(Field("x", .string(title: ""))) == SchemaError(at: "/properties/x", .missingTitle))
    #expect(refusal(Field("x", .choice(title: "X", []))) == SchemaError(at: "/properties/x", .noChoices))
    #expect(refusal(Field("x", .choice(title: "X", [("a", "A"), ("a", "B")]))) == SchemaError(at: "/properties/x", .badChoice))
    #expect(refusal(Field("x", .choice(title: "X", of: [.init(.null)]))) == SchemaError(at: "/properties/x", .badChoice))
    #expect(refusal(Field("x", .string(title: "X", length: ...(-1)))) == SchemaError(at: "/properties/x/minLength", .emptyBounds))
    let unbounded = Schema(.number(Bounds(lower: .inclusive(.nan))), title: "X")
    #expect(refusal(Field("x", unbounded)) == SchemaError(at: "/properties/x/minimum", .emptyBounds))
    #expect(
      refusal(Field("x", .string(title: "X", length: 2..., default: "a")))
        == SchemaError(at: "/properties/x/default", .badDefault("must have at least 2 characters")))
    #expect(
      refusal(Field("x", .array(of: .array(of: text, title: "Y"), title: "X")))
        == SchemaError(at: "/properties/x/items", .unsupportedType))
    let nested = Schema(.object([Field("y", text)]), title: "X")
    #expect(refusal(Field("x", nested)) == SchemaError(at: "/properties/x", .unsupportedType))
  }

  @Test("A schema of a flow is refused if it has an assertion among its annotations")
  func assertionAmongAnnotationsIsRefused() throws {
    func validate(_ annotations: [String: JSONValue]) throws {
      var schema = Schema.string(title: "X")
      schema.annotations = annotations
      try Form(Field("x", schema)).validate()
      try Form(Field("x", .choice(title: "X", of: [.init("a", annotations: annotations)]))).validate()
    }
    try validate(["x-a": 1, "examples": ["b"]])
    for name in ["multipleOf", "minLength", "title", "misspelled"] {
      #expect(throws: SchemaError(at: "/properties/x/" + name, .badAnnotation)) { try validate([name: 1]) }
    }
  }

  @Test("A pattern beside a format need only bear the longest string in that format")
  func patternBesideFormatIsBounded() throws {
    let large: Pattern = "(a?){2000}$"
    func validate(_ format: Schema.Format?) throws {
      try Form(Field("x", Schema(.text(.init(pattern: large, format: format)), title: "X"))).validate()
    }
    try validate(.uuid)
    #expect(throws: SchemaError(at: "/properties/x/pattern", .costlyPattern(large.source))) { try validate(.uri) }
    #expect(throws: SchemaError(at: "/properties/x/pattern", .costlyPattern(large.source))) { try validate(nil) }
  }

  @Test("A schema error says in words what is wrong and where")
  func schemaErrorSaysWhatAndWhere() {
    #expect(SchemaError(at: "/properties/x", .missingTitle).description == "/properties/x: must have a title")
    #expect(SchemaError(at: "", .emptyBounds).description == "the schema: leaves no value that satisfies all bounds")
    let pattern = PatternError(position: 3, reason: .backreference)
    #expect(
      SchemaError(at: "/p", .badPattern(pattern, in: "(a)\\1")).description
        == "/p: '(a)\\1', at 3: backreferences are not supported")
    #expect(
      SchemaError(at: "/p", .costlyPattern("a*")).description
        == "/p: 'a*' is too slow for the longest allowed string; set a smaller maxLength or maxItems")
  }
}
