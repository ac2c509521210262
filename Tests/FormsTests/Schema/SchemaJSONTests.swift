import Forms
import Testing

@Suite("Schemas as JSON Schema", .timeLimit(.minutes(5)))
struct SchemaJSONTests {
  static let form = Form(
    Field(
      "username",
      .string(title: "User name", summary: "As on the badge.", length: 1...64, pattern: "^[a-z]+$", default: "demo")),
    Field("password", .secret(title: "Password", length: 1...128)),
    Field("age", .integer(title: "Age", range: 0...150, default: 30)).optional,
    Field("ratio", Schema(.number(Bounds(lower: .exclusive(0), upper: .inclusive(1.5))), title: "Ratio")),
    Field("news", .boolean(title: "News", default: true)),
    Field("order", .choice(title: "Order", [("original", "As written"), ("author", "By author")], default: "original")),
    Field("mail", .email(title: "Mail")).optional,
    Field("days", .array(of: .choice(title: "Day", of: [.init(1), .init(2)]), title: "Days", count: 1...7, isUnique: true)))

  static let json: JSONValue = [
    "type": "object", "additionalProperties": false,
    "required": ["days", "news", "order", "password", "ratio", "username"],
    "properties": [
      "username": [
        "type": "string", "title": "User name", "description": "As on the badge.", "minLength": 1, "maxLength": 64,
        "pattern": "^[a-z]+$", "default": "demo",
      ],
      "password": [
        "type": "string", "title": "Password", "minLength": 1, "maxLength": 128, "format": "password", "writeOnly": true,
      ],
      "age": ["type": "integer", "title": "Age", "minimum": 0, "maximum": 150, "default": 30],
      "ratio": ["type": "number", "title": "Ratio", "exclusiveMinimum": 0, "maximum": 1.5],
      "news": ["type": "boolean", "title": "News", "default": true],
      "order": [
        "type": "string", "title": "Order", "default": "original",
        "oneOf": [["const": "original", "title": "As written"], ["const": "author", "title": "By author"]],
      ],
      "mail": ["type": "string", "title": "Mail", "format": "email"],
      "days": [
        "type": "array", "title": "Days", "minItems": 1, "maxItems": 7, "uniqueItems": true,
        "items": ["type": "integer", "title": "Day", "enum": [1, 2]],
      ],
    ],
  ]

  @Test("A schema is written with the keywords of the supported JSON Schema 2020-12 subset")
  func schemaIsWrittenInJSONSubset() {
    #expect(Self.form.schema.json == Self.json)
  }

  @Test("A schema in JSON is read back as the same schema")
  func writtenSchemaIsReadBack() throws {
    #expect(try Schema(json: Self.json) == Self.form.schema)
    #expect(try Schema(json: Schema.object().json) == .object())
    #expect(try Schema(json: ["type": "object"]) == .object())
  }

  @Test("A form keeps its fields in the order that its screen names")
  func formKeepsTheOrderOfItsFields() throws {
    let form = try Form(schema: Schema(json: Self.json), order: Self.form.order)
    #expect(form == Self.form)
    #expect(form.order.first == "username")
    #expect(try Form(schema: form.schema, order: ["ratio"]).order.prefix(2) == ["ratio", "age"])
    #expect(throws: SchemaError(at: "", .unknownProperty("x"))) { try Form(schema: form.schema, order: ["x"]) }
    #expect(throws: SchemaError(at: "", .unknownProperty("age"))) { try Form(schema: form.schema, order: ["age", "age"]) }
  }

  @Test("A schema does not depend on the order of its fields, and knows its secret fields")
  func schemaIgnoresFieldOrder() {
    #expect(Schema.object(Self.form.fields.reversed()) == Self.form.schema)
    #expect(Self.form.schema.secretFields == ["password"])
    #expect(Schema.string(title: "X").secretFields.isEmpty)
  }

  @Test("Of two bounds the stricter one applies, and an exclusive integer bound becomes the next integer")
  func stricterBoundIsTaken() throws {
    let schema = try Schema(json: ["type": "integer", "minimum": 1, "exclusiveMinimum": 1, "maximum": 9, "exclusiveMaximum": 10])
    #expect(schema == Schema(.integer(Bounds(lower: .inclusive(2), upper: .inclusive(9)))))
    let number = try Schema(json: ["type": "number", "minimum": 1, "exclusiveMinimum": 1, "maximum": 9, "exclusiveMaximum": 10])
    #expect(number == Schema(.number(Bounds(lower: .exclusive(1), upper: .inclusive(9)))))
  }

  @Test("Choices need no type, and a constant is a single choice")
  func choicesNeedNoType() throws {
    #expect(try Schema(json: ["enum": ["a", 1, true]]) == Schema(.choice([.init("a"), .init(1), .init(true)])))
    #expect(try Schema(json: ["const": "a"]) == Schema(.choice([.init("a")])))
    #expect(Schema(.choice([.init("a"), .init(1)])).json == ["enum": ["a", 1]])
    #expect(Schema(.choice([.init(1), .init(1.5)])).json == ["type": "number", "enum": [1, 1.5]])
  }

  @Test(
    "An unsupported or invalid schema is refused with an error that points to the place",
    arguments: [
      ("text", "", .malformed(expected: "an object")),
      (["type": 1], "/type", .malformed(expected: "a string")),
      ([:], "/type", .malformed(expected: "present")),
      (["type": "null"], "/type", .unsupportedType),
      (["type": "string", "minLenght": 1], "/minLenght", .unknownKeyword),
      (["type": "string", "minimum": 1], "/minimum", .unsupportedKeyword),
      (["type": "string", "minLength": -1], "/minLength", .malformed(expected: "a non-negative integer")),
      (["type": "string", "minLength": 2, "maxLength": 1], "/minLength", .emptyBounds),
      (["type": "string", "format": "iri"], "/format", .unsupportedFormat("iri")),
      (["type": "string", "enum": [1]], "/enum/0", .badChoice),
      (["type": "string", "enum": []], "", .noChoices),
      (["enum": [1, .number(1)]], "", .badChoice),
      (["enum": [["a": 1]]], "", .badChoice),
      (["enum": "a"], "/enum", .malformed(expected: "an array")),
      (["enum": ["a"], "const": "a"], "/const", .unsupportedKeyword),
      (["oneOf": [["const": "a"], ["title": "x"]]], "/oneOf/1/const", .malformed(expected: "present")),
      (["oneOf": [["const": "a", "type": "integer"]]], "/oneOf/0", .badChoice),
      (["type": "integer", "minimum": 1.5], "/minimum", .malformed(expected: "an integer")),
      (["type": "integer", "exclusiveMinimum": .integer(.max)], "/exclusiveMinimum", .emptyBounds),
      (["type": "integer", "multipleOf": 2], "/multipleOf", .unsupportedKeyword),
      (["type": "number", "minimum": 1, "exclusiveMaximum": 1], "/minimum", .emptyBounds),
      (["type": "array"], "/items", .malformed(expected: "present")),
      (["type": "array", "items": ["type": "array", "items": ["type": "boolean"]]], "/items/type", .unsupportedType),
      (
        ["type": "array", "items": ["type": "object", "properties": ["a": ["type": "array", "title": "A"]]]],
        "/items/properties/a/type", .unsupportedType
      ),
      (["type": "array", "items": ["type": "string", "writeOnly": true]], "/items", .badSecret),
      (["type": "object", "additionalProperties": true], "/additionalProperties", .unsupportedKeyword),
      (["type": "object", "required": ["a"]], "/required", .unknownProperty("a")),
      (
        ["type": "object", "properties": ["a/b~": ["type": "object", "title": "A"]]], "/properties/a~1b~0/type",
        .unsupportedType
      ),
      (["type": "object", "properties": ["a": ["type": "string"]]], "/properties/a", .missingTitle),
      (["type": "object", "if": [:]], "/if", .unsupportedKeyword),
      (["type": "string", "pattern": "("], "/pattern", .badPattern(PatternError(position: 0, reason: .unterminated), in: "(")),
      (["type": "string", "default": 1], "/default", .badDefault("must be text")),
      (["type": "string", "default": "x", "writeOnly": true], "", .badSecret),
    ] as [(JSONValue, String, SchemaError.Reason)])
  func unsupportedSchemaErrorPointsToPlace(json: JSONValue, pointer: String, reason: SchemaError.Reason) {
    #expect(throws: SchemaError(at: pointer, reason)) { try Schema(json: json) }
  }
}
