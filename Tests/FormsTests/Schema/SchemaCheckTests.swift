import Forms
import Testing

@Suite("Rule 7: Payload checks", .timeLimit(.minutes(5)))
struct SchemaCheckTests {
  /// Returns the reason why a value of a required field is refused; nil if it is accepted.
  static func reason(_ schema: Schema, _ value: JSONValue) -> String? {
    Schema.object(Field("x", schema)).check(["x": value])["x"]
  }

  @Test("Rule 7: A payload allows no unknown fields, and every wrong field is named")
  func payloadIsClosedAndEveryErrorIsNamed() {
    let schema = Schema.object(
      Field("a", .string(title: "A")), Field("b", .integer(title: "B")), Field("c", .boolean(title: "C")).optional)
    #expect(schema.check(["a": "x", "b": 1]).isEmpty)
    #expect(schema.check(["a": "x", "b": 1, "c": false]).isEmpty)
    #expect(
      schema.check(["b": "1", "c": .null, "d": 1, "e": .null]) == [
        "a": "is required", "b": "must be a whole number", "d": "is not a known field",
      ])
    #expect(Schema.object().check([:]).isEmpty)
    #expect(Schema.object().check(["x": 1]) == ["x": "is not a known field"])
  }

  @Test(
    "Rule 7: A value of the wrong type is refused",
    arguments: [
      (Schema.string(title: "X"), "must be text"), (.secret(title: "X"), "must be text"), (.email(title: "X"), "must be text"),
      (.boolean(title: "X"), "must be true or false"), (.array(of: .boolean(title: "Y"), title: "X"), "must be a list"),
      (.choice(title: "X", [("a", "A"), ("b", "B")]), "is not one of: a, b"),
    ])
  func valueOfWrongTypeIsRefused(schema: Schema, expected: String) {
    for value in [1, 1.5, .number(.nan), ["k": 1]] as [JSONValue] { #expect(Self.reason(schema, value) == expected) }
  }

  @Test("Rule 7: A whole number may be written with a zero fraction, and must fit its bounds")
  func integerMayHaveZeroFraction() {
    let schema = Schema.integer(title: "X", range: 1...10)
    #expect(Self.reason(schema, 3) == nil)
    #expect(Self.reason(schema, .number(3.0)) == nil)
    #expect(Self.reason(schema, 3.5) == "must be a whole number")
    #expect(Self.reason(schema, .number(.infinity)) == "must be a whole number")
    #expect(Self.reason(schema, 1e300) == "is too large a number")
    #expect(Self.reason(schema, 0) == "must be 1 to 10")
    #expect(Self.reason(schema, 11) == "must be 1 to 10")
    #expect(Self.reason(.integer(title: "X", range: 5...), 4) == "must be at least 5")
    #expect(Self.reason(.integer(title: "X", range: ...5), 6) == "must be at most 5")
    #expect(Self.reason(.integer(title: "X"), .integer(.min)) == nil)
  }

  @Test("Rule 7: A number must be within its inclusive or exclusive bounds")
  func numberMustBeWithinBounds() {
    let half = Schema(.number(Bounds(lower: .exclusive(0), upper: .inclusive(0.5))), title: "X")
    #expect(Self.reason(half, 0.5) == nil)
    #expect(Self.reason(half, 0) == "must be more than 0 and at most 0.5")
    #expect(Self.reason(.number(title: "X", range: 0...1), 1) == nil)
    #expect(Self.reason(.number(title: "X", range: 0...1), 1.01) == "must be 0 to 1")
    #expect(Self.reason(.number(title: "X"), .number(.nan)) == "must be a number")
    #expect(Self.reason(.number(title: "X"), "1") == "must be a number")
  }

  @Test("Rule 7: The length of a string is counted in code points")
  func lengthCountsCodePoints() {
    let schema = Schema.string(title: "X", length: 2...3)
    #expect(Self.reason(schema, "ab") == nil)
    #expect(Self.reason(schema, "e\u{301}") == nil)
    #expect(Self.reason(schema, "😀😀😀") == nil)
    #expect(Self.reason(schema, "👩‍👩‍👧") == "must have 2 to 3 characters")
    #expect(Self.reason(schema, "") == "must have 2 to 3 characters")
    #expect(Self.reason(.string(title: "X", length: 1...), "") == "must have at least 1 character")
    #expect(Self.reason(.string(title: "X", length: ...2), "abc") == "must have at most 2 characters")
    #expect(Self.reason(.string(title: "X", length: 4...4), "abc") == "must have 4 characters")
  }

  @Test("Rule 7: A string must contain a match of the pattern, anywhere unless it is anchored")
  func patternMatchesAnywhereUnlessAnchored() {
    #expect(Self.reason(.string(title: "X", pattern: "[0-9]{2}"), "ab12cd") == nil)
    #expect(Self.reason(.string(title: "X", pattern: "^[0-9]{2}$"), "ab12cd") == "is not in the expected form")
    #expect(Self.reason(.secret(title: "X", pattern: "[0-9]"), "hunter") == "is not in the expected form")
  }

  @Test("Rule 7: Choices are compared as in JSON: numbers by value, strings by code points")
  func choicesCompareAsInJSON() {
    let schema = Schema.choice(title: "X", of: [Schema.Choice("é"), Schema.Choice(1), Schema.Choice(true), Schema.Choice(2.5)])
    for value in ["é", 1, .number(1), true, 2.5] as [JSONValue] { #expect(Self.reason(schema, value) == nil) }
    for value in ["e\u{301}", "1", false, 2, [], .null] as [JSONValue] { #expect(Self.reason(schema, value) != nil) }
    #expect(Self.reason(schema, 2) == "is not one of: é, 1, true, 2.5")
  }

  @Test("Rule 7: The entries of a list are counted, checked, and compared for uniqueness")
  func listEntriesAreCountedAndChecked() {
    let schema = Schema.array(of: .integer(title: "Y", range: 0...9), title: "X", count: 1...3, isUnique: true)
    #expect(Self.reason(schema, [1, 2, 3]) == nil)
    #expect(Self.reason(schema, []) == "must have 1 to 3 entries")
    #expect(Self.reason(schema, [1, 2, 3, 4]) == "must have 1 to 3 entries")
    #expect(Self.reason(schema, [1, 10]) == "entry 2 must be 0 to 9")
    #expect(Self.reason(schema, [1, [1]]) == "entry 2 must be a whole number")
    #expect(Self.reason(schema, [1, .number(1)]) == "must not contain the same entry twice")
    #expect(Self.reason(.array(of: .string(title: "Y"), title: "X", count: ...1), ["a", "b"]) == "must have at most 1 entry")
    #expect(Self.reason(.array(of: .string(title: "Y"), title: "X", isUnique: true), ["é", "e\u{301}"]) == nil)
  }

  @Test("Rule 7: A list of a hundred thousand unique entries is accepted")
  func longUniqueListIsAccepted() {
    let entries = (0..<100_000).map { JSONValue.integer($0) }
    #expect(Self.reason(.array(of: .integer(title: "Y"), title: "X", isUnique: true), .array(entries)) == nil)
  }
}
