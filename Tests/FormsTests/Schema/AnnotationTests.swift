import Forms
import Testing

@Suite("Hints and texts of schemas", .timeLimit(.minutes(5)))
struct AnnotationTests {
  @Test("Hints are written as keywords, and read back")
  func hintsAreKeywords() throws {
    let text = Schema.multilineText(title: "Notes", length: ...500).example("a\nb").meant(for: .streetAddress)
    #expect(
      text.json == [
        "type": "string", "title": "Notes", "maxLength": 500, "x-multiline": true, "examples": ["a\nb"],
        "x-purpose": "street-address",
      ])
    #expect(text.isMultiline && text.purpose == .streetAddress && text.examples == ["a\nb"])
    let number = Schema.integer(title: "Disk", range: 1...10).measured(in: "GB").example(1).example(2)
    #expect(number.json["x-unit"] == "GB" && number.unit == "GB" && number.examples == [1, 2])
    let secret = Schema.secret(title: "Passphrase").revealable.explained("Look at the back of the router")
    #expect(secret.json["x-revealable"] == true && secret.isRevealable)
    #expect(secret.json["x-message"] == "Look at the back of the router")
    let form = Form(Field("a", text), Field("b", number), Field("c", secret))
    try form.validate()
    #expect(try Form(schema: Schema(json: form.schema.json), order: form.order) == form)
    let plain = Schema.string(title: "X")
    #expect(!plain.isMultiline && !plain.isRevealable && plain.unit == nil && plain.purpose == nil && plain.message == nil)
  }

  @Test("A hint with a value of the wrong type, or on the wrong type of value, is refused")
  func misplacedHintIsRefused() {
    func refusal(_ schema: Schema, _ keyword: String, _ value: JSONValue) -> SchemaError? {
      var schema = schema
      schema.annotations[keyword] = value
      return #expect(throws: SchemaError.self) { try Form(Field("x", schema)).validate() }
    }
    func error(_ keyword: String, _ reason: SchemaError.Reason) -> SchemaError {
      SchemaError(at: "/properties/x/" + keyword, reason)
    }
    let text = Schema.string(title: "X")
    let number = Schema.number(title: "X")
    #expect(refusal(text, "x-multiline", "yes") == error("x-multiline", .malformed(expected: "true or false")))
    #expect(refusal(number, "x-multiline", true) == error("x-multiline", .badAnnotation))
    #expect(refusal(text, "x-revealable", true) == error("x-revealable", .badAnnotation))
    #expect(refusal(text, "x-unit", "GB") == error("x-unit", .badAnnotation))
    #expect(refusal(number, "x-unit", "") == error("x-unit", .malformed(expected: "the name of a unit")))
    #expect(refusal(text, "x-message", 1) == error("x-message", .malformed(expected: "a text for the user")))
    #expect(refusal(text, "x-purpose", "user-name")?.pointer == "/properties/x/x-purpose")
    #expect(refusal(text, "x-required-if-shown", true) == error("x-required-if-shown", .badAnnotation))
  }

  @Test("The purposes are the field names of HTML's attribute autocomplete")
  func purposesAreThoseOfHTML() {
    #expect(Schema.Purpose.allCases.count == 54)
    for name in ["username", "new-password", "tel", "street-address", "one-time-code", "bday", "cc-csc", "impp"] {
      #expect(Schema.Purpose(rawValue: name) != nil, "\(name)")
    }
  }

  @Test("Rule 7: The author's text replaces the reason for a broken rule, but not that a value is missing")
  func authorsTextReplacesReason() {
    let message = "Use small letters, digits and hyphens"
    let name = Schema.string(title: "X", length: 2...8, pattern: "^[a-z0-9-]+$").explained(Text(verbatim: message))
    for value in ["A", "a", "B b", 1, "much too long"] as [JSONValue] { #expect(SchemaCheckTests.reason(name, value) == message) }
    #expect(SchemaCheckTests.reason(name, "tea-1") == nil)
    #expect(Schema.object(Field("x", name)).check([:]) == ["x": "is required"])
    #expect(SchemaCheckTests.reason(.integer(title: "X", range: 1...2).explained("Take one or two"), 3) == "Take one or two")
    let list = Schema.array(of: name, title: "X", count: ...2)
    #expect(SchemaCheckTests.reason(list, ["tea", "TEA"]) == "entry 2: \(message)")
    #expect(SchemaCheckTests.reason(list, ["aa", "bb", "cc"]) == "must have at most 2 entries")
    #expect(SchemaCheckTests.reason(list.explained("Two at most"), ["aa", "bb", "cc"]) == "Two at most")
  }

  @Test("Rule 7: The reason for a string without its pattern mentions the first example that is valid")
  func reasonMentionsExample() {
    let name = Schema.string(title: "X", length: ...8, pattern: "^[a-z]+-[0-9]$").example(1).example("PRINTER").example("tea-1")
    #expect(SchemaCheckTests.reason(name, "tea") == "is not in the expected form, such as tea-1")
    #expect(
      SchemaCheckTests.reason(.array(of: name, title: "X"), ["tea"]) == "entry 1 is not in the expected form, such as tea-1")
  }

  @Test("Rule 7: The reason for a number out of its range mentions the unit")
  func reasonMentionsUnit() {
    #expect(SchemaCheckTests.reason(.integer(title: "X", range: 1...10).measured(in: "GB"), 11) == "must be 1 to 10 GB")
    #expect(SchemaCheckTests.reason(.number(title: "X", range: 0.5...).measured(in: "m"), 0) == "must be at least 0.5 m")
  }

  @Test("Rule 7: The reason for a value that is no choice does not list dozens of choices")
  func reasonListsFewChoices() {
    let many = Schema.choice(title: "X", (0..<30).map { ("zone\($0)", Text(verbatim: "Zone \($0)")) })
    #expect(SchemaCheckTests.reason(many, "x") == "is not one of the choices")
  }
}
