import Forms
import Foundation
import Testing

@Suite("Schemas written by other programs", .timeLimit(.minutes(5)))
struct ForeignSchemaTests {
  /// The output of `model_json_schema()` in pydantic 2.
  private static let pydantic = #"""
    {"$defs": {"Colour": {"enum": ["red", "green"], "title": "Colour", "type": "string"}},
     "additionalProperties": false, "description": "Who somebody is.", "title": "Profile", "type": "object",
     "properties": {
       "name": {"examples": ["ada"], "maxLength": 64, "minLength": 1, "pattern": "^[a-z]+$", "title": "Name", "type": "string"},
       "nickname": {"anyOf": [{"maxLength": 10, "type": "string"}, {"type": "null"}], "default": null,
                    "description": "What friends say.", "title": "Nickname"},
       "must": {"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "Must"},
       "age": {"default": 30, "exclusiveMaximum": 150, "minimum": 0, "title": "Age", "type": "integer"},
       "ratio": {"deprecated": true, "exclusiveMinimum": 0, "title": "Ratio", "type": "number"},
       "colour": {"$ref": "#/$defs/Colour"},
       "second": {"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}], "default": null},
       "third": {"allOf": [{"$ref": "#/$defs/Colour"}], "default": "red", "title": "Third"},
       "one": {"const": "x", "title": "One", "type": "string"},
       "at": {"format": "date-time", "title": "At", "type": "string"},
       "password": {"format": "password", "title": "Password", "type": "string", "writeOnly": true},
       "chosen": {"default": [], "items": {"$ref": "#/$defs/Colour"}, "title": "Chosen", "type": "array", "uniqueItems": true}},
     "required": ["name", "must", "ratio", "colour", "one", "at", "password"]}
    """#

  /// The output of `z.toJSONSchema` in zod 4, with titles from `meta`.
  private static let zod = #"""
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
     "properties": {
       "age": {"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991, "title": "Age", "x-order": 1},
       "float": {"type": "number", "minimum": -1.7976931348623157e+308, "maximum": 1.7976931348623157e+308, "title": "Float"},
       "nickname": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Nickname"},
       "colour": {"anyOf": [{"type": "string", "const": "red", "title": "Red", "description": "Like blood."},
                            {"type": "string", "const": "green"}], "title": "Colour"},
       "data": {"type": "string", "contentEncoding": "base64", "title": "Data"},
       "ip": {"type": "string", "format": "ipv4", "title": "Address",
              "pattern": "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[0-9]{1,2})\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[0-9]{1,2})$"}},
     "required": ["age", "nickname", "colour"]}
    """#

  private static func json(_ text: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }

  private static func schema(_ text: String) throws -> Schema { try Schema(json: json(text)) }

  private static func property(_ json: JSONValue) -> JSONValue {
    guard var keywords = json.object else { return json }
    keywords["title"] = keywords["title"] ?? "X"
    return ["type": "object", "properties": ["x": .object(keywords)], "required": ["x"]]
  }

  @Test("A schema of pydantic is read with its references, optionals and enumerations")
  func pydanticSchemaIsRead() throws {
    let schema = try Self.schema(Self.pydantic)
    let fields = Dictionary(uniqueKeysWithValues: schema.fields.map { ($0.name, $0) })
    let colour = Schema(.choice([.init("red"), .init("green")]), title: "Colour")
    #expect(fields["colour"] == Field("colour", colour))
    #expect(fields["second"] == Field("second", colour, isRequired: false))
    #expect(fields["third"]?.schema == Schema(colour.rule, title: "Third", defaultValue: "red"))
    #expect(fields["nickname"]?.schema == .string(title: "Nickname", summary: "What friends say.", length: ...10))
    #expect(fields["age"]?.schema.rule == .integer(Bounds(lower: .inclusive(0), upper: .inclusive(149))))
    #expect(fields["at"]?.schema.rule == .text(.init(format: .dateTime)))
    #expect(schema.secretFields == ["password"])
    #expect(schema.title == "Profile")
    let payload: [String: JSONValue] = [
      "name": "ada", "must": .null, "ratio": 0.5, "colour": "red", "one": "x", "at": "2026-07-21T08:30:00Z", "password": "x",
      "chosen": ["red", "green"],
    ]
    #expect(schema.check(payload).isEmpty)
    #expect(schema.check(payload.merging(["second": "blue", "x": 1]) { $1 }).keys.sorted() == ["second", "x"])
  }

  @Test("A schema of zod is read with its unions of constants")
  func zodSchemaIsRead() throws {
    let schema = try Self.schema(Self.zod)
    let fields = Dictionary(uniqueKeysWithValues: schema.fields.map { ($0.name, $0) })
    let red = Schema.Choice("red", title: "Red", annotations: ["description": "Like blood."])
    #expect(fields["colour"] == Field("colour", Schema(.choice([red, .init("green")]), title: "Colour")))
    #expect(fields["nickname"]?.isRequired == false)
    #expect(schema.check(["age": 1, "colour": "green", "ip": "192.0.2.1", "float": 1e300]).isEmpty)
    #expect(schema.check(["age": 1, "colour": "blue", "ip": "192.0.2.256"]).keys.sorted() == ["colour", "ip"])
  }

  @Test("Annotations are kept and given back")
  func annotationsAreKept() throws {
    let json: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.org/a", "$comment": "x",
      "type": "object", "additionalProperties": false,
      "properties": [
        "a": [
          "type": "string", "title": "A", "description": "a", "default": "b", "examples": ["b", "c"], "deprecated": true,
          "readOnly": true, "x-y": ["z": 1], "ui:widget": "x", "contentMediaType": "text/plain",
        ],
        "b": [
          "type": "string", "title": "B",
          "oneOf": [["const": "c", "title": "C", "description": "d", "x-e": 1], ["const": "f"]],
        ],
        "c": ["type": "array", "title": "C", "items": ["type": "boolean", "$comment": "y"]],
      ],
    ]
    let schema = try Schema(json: json)
    #expect(schema.json == json)
    #expect(schema.fields.first?.schema.annotations["x-y"] == ["z": 1])
  }

  @Test("What pydantic and zod write is given back with the same meaning")
  func foreignSchemaIsGivenBack() throws {
    for text in [Self.pydantic, Self.zod] {
      let schema = try Self.schema(text)
      #expect(try Schema(json: schema.json) == schema)
    }
  }

  @Test(
    "An assertion or applicator without support is refused by name",
    arguments: [
      "multipleOf": 2, "not": [:], "if": [:], "then": [:], "else": [:], "contains": [:], "minContains": 1, "maxContains": 1,
      "prefixItems": [[:]], "patternProperties": [:], "propertyNames": [:], "minProperties": 1, "maxProperties": 1,
      "dependentRequired": [:], "dependentSchemas": [:], "unevaluatedItems": false, "unevaluatedProperties": false,
      "$dynamicRef": "#x", "$dynamicAnchor": "x", "$anchor": "x", "$vocabulary": [:],
    ] as [String: JSONValue])
  func unsupportedKeywordIsRefusedByName(keyword: String, value: JSONValue) {
    for type in ["string", "integer", "array", "boolean", "object"] as [JSONValue] {
      var json: [String: JSONValue] = ["type": type, keyword: value]
      if type == "array" { json["items"] = ["type": "string"] }
      if type != "object" {
        let place = "/properties/x/" + keyword
        #expect(throws: SchemaError(at: place, .unsupportedKeyword)) { try Schema(json: Self.property(.object(json))) }
      } else {
        #expect(throws: SchemaError(at: "/" + keyword, .unsupportedKeyword)) { try Schema(json: .object(json)) }
      }
    }
    #expect(throws: SchemaError(at: "/" + keyword, .unsupportedKeyword)) { try Schema(json: [keyword: value]) }
    #expect(throws: SchemaError(at: "/" + keyword, .unsupportedKeyword)) { try OpenSchema(json: [keyword: value]) }
  }

  @Test(
    "A supported keyword in a form without support is refused with its place",
    arguments: [
      (["anyOf": [["type": "integer"], ["type": "string"]]], "/anyOf", .unsupportedKeyword),
      (["anyOf": [["type": "null"], ["type": "null"]]], "/anyOf", .unsupportedKeyword),
      (["type": "string", "anyOf": [["minLength": 1], ["maxLength": 2]]], "/anyOf", .unsupportedKeyword),
      (["minLength": 1, "anyOf": [["type": "string"], ["type": "null"]]], "/minLength", .unsupportedKeyword),
      (["allOf": [["pattern": "a"], ["pattern": "b"]], "type": "string"], "/allOf", .unsupportedKeyword),
      (["oneOf": [["anyOf": [["type": "string"], ["type": "null"]]], ["type": "null"]]], "/oneOf", .unsupportedKeyword),
      (["anyOf": [["type": "string", "not": [:]], ["type": "null"]]], "/anyOf/0/not", .unsupportedKeyword),
      (["type": ["integer", "string"]], "/type", .unsupportedType),
      (["type": ["null"]], "/type", .unsupportedType),
      (["type": "string", "const": .null], "/const", .badChoice),
      (["type": "string", "enum": ["a", .null]], "/enum/1", .badChoice),
      (["type": "string", "additionalProperties": false], "/additionalProperties", .unsupportedKeyword),
      (["type": "array", "items": ["type": ["string", "null"]]], "/items/type", .unsupportedNull),
      (["type": "array", "items": ["enum": ["a", .null]]], "/items/enum", .unsupportedNull),
      (["$ref": "#"], "/$ref", .unsupportedReference),
      (["$ref": "#/$defs/none"], "/$ref", .unsupportedReference),
      (["$ref": "#/properties/x"], "/$ref", .unsupportedReference),
      (["$ref": "https://example.org/x"], "/$ref", .unsupportedReference),
      (["type": "string", "$ref": "#/$defs/none"], "/$ref", .unsupportedReference),
      (["type": "string", "examples": ["a", .null]], "/examples", .badAnnotation),
      (["type": "string", "x-a": [[[[[[[[[1]]]]]]]]]], "/x-a", .badAnnotation),
      (["type": "string", "$schema": "http://json-schema.org/draft-07/schema#"], "/$schema", .unsupportedDialect),
      (["type": "string", "formatt": "email"], "/formatt", .unknownKeyword),
    ] as [(JSONValue, String, SchemaError.Reason)])
  func unsupportedFormOfKeywordIsRefused(json: JSONValue, pointer: String, reason: SchemaError.Reason) {
    #expect(throws: SchemaError(at: "/properties/x" + pointer, reason)) { try Schema(json: Self.property(json)) }
  }

  @Test("A reference is refused if it is recursive, long, or inside a schema with its own identifier")
  func unboundedReferenceIsRefused() throws {
    func schema(_ definitions: JSONValue, _ property: JSONValue) throws -> Schema {
      try Schema(json: ["type": "object", "$defs": definitions, "properties": ["x": property]])
    }
    let loop: JSONValue = ["a": ["$ref": "#/$defs/b"], "b": ["allOf": [["$ref": "#/$defs/a"]]]]
    let error = #expect(throws: SchemaError.self) { try schema(loop, ["$ref": "#/$defs/a"]) }
    #expect(error?.reason == .unsupportedReference)
    let identified: JSONValue = ["$id": "https://example.org/b", "$ref": "#/$defs/a", "title": "X"]
    #expect(throws: SchemaError(at: "/properties/x/$ref", .unsupportedReference)) {
      try schema(["a": ["type": "string"]], identified)
    }
    let named = try schema(["a/b~c d%": ["type": "string", "title": "A"]], ["$ref": "#/$defs/a~1b~0c%20d%25"])
    #expect(named.fields.first?.schema == .string(title: "A"))
    // Two properties must not have the same identifier.
    let identity: JSONValue = ["$id": "https://example.org/a", "$comment": "b", "type": "string", "title": "A"]
    #expect(try schema(["a": identity], ["$ref": "#/$defs/a"]).fields.first?.schema.annotations == ["$comment": "b"])
    for reference in ["#/$defs/a/b", "#/$defs/a~", "#/$defs/a~2", "#/$defs/a%", "#/$defs/a%2", "#/$defs/a%zz"] {
      #expect(throws: SchemaError(at: "/properties/x/$ref", .unsupportedReference)) {
        try schema(["a": ["type": "string"]], ["$ref": .string(reference)])
      }
    }
  }

  @Test("A property that may be null may be left out, because a null stands for an absent key")
  func nullablePropertyIsOptional() throws {
    for json in [
      ["type": ["string", "null"]], ["type": ["null", "string"]], ["anyOf": [["type": "null"], ["type": "string"]]],
      ["oneOf": [["type": "string"], ["type": "null"]]],
    ] as [JSONValue] {
      let schema = try Schema(json: Self.property(json))
      #expect(schema.fields == [Field("x", .string(title: "X"), isRequired: false)])
    }
    let choice = try Schema(json: Self.property(["enum": ["a", .null]]))
    #expect(choice.fields == [Field("x", Schema(.choice([.init("a")]), title: "X"), isRequired: false)])
    // The values of enum allow no null, though the type does.
    #expect(try Schema(json: Self.property(["type": ["string", "null"], "enum": ["a"]])).fields.first?.isRequired == true)
    #expect(try Schema(json: Self.property(["type": ["string"]])).fields.first?.isRequired == true)
  }
}
