import Forms
import Testing

@Suite("Fields that are shown at times", .timeLimit(.minutes(5)))
struct ConditionTests {
  static let form = Form(
    Field("security", .choice(title: "Security", [("open", "None"), ("wpa", "WPA"), ("enterprise", "Enterprise")])),
    Field("passphrase", .secret(title: "Passphrase", length: 8...)).shown(if: "security", is: "wpa", "enterprise"),
    Field("method", .integer(title: "Method", range: 1...3)).shown(if: "security", is: "enterprise").optional,
    Field("realm", .string(title: "Realm")).shown(if: "method", is: 2).shown(if: "advanced", is: true),
    Field("advanced", .boolean(title: "Advanced")).optional)

  @Test("Rule 7: A value of a field that is not shown is dropped, whatever it is")
  func hiddenValueIsDropped() throws {
    let payload = try Self.form.schema.accept(["security": "open", "passphrase": "x", "method": "tea", "realm": [1]])
    #expect(payload.values == ["security": "open"])
    #expect(payload.secrets.isEmpty)
  }

  @Test("Rule 7: A field is required while it is shown, unless it is optional")
  func shownFieldIsRequired() throws {
    let schema = Self.form.schema
    #expect(schema.check(["security": "open"]).isEmpty)
    #expect(schema.check(["security": "wpa"]) == ["passphrase": "is required"])
    #expect(schema.check(["security": "wpa", "passphrase": "short"]) == ["passphrase": "must have at least 8 characters"])
    #expect(schema.check(["security": "enterprise", "passphrase": "long enough"]).isEmpty)
    #expect(schema.check([:]) == ["security": "is required"])
    let payload = try schema.accept(["security": "wpa", "passphrase": "long enough", "method": 1])
    #expect(payload.values == ["security": "wpa"])
    #expect(payload.secret("passphrase")?.withString { $0 } == "long enough")
  }

  @Test("Rule 7: A condition on a field that is not shown does not hold, and all conditions must hold")
  func conditionsAreChained() {
    var values: [String: JSONValue] = [
      "security": "enterprise", "passphrase": "long enough", "method": .number(2), "advanced": true,
    ]
    #expect(Self.form.schema.check(values) == ["realm": "is required"])
    #expect(Self.form.schema.shownFields(in: values).contains("realm"))
    values["advanced"] = false
    #expect(Self.form.schema.check(values).isEmpty)
    values["advanced"] = true
    values["security"] = "wpa"
    #expect(Self.form.schema.check(values).isEmpty)
    #expect(Self.form.schema.shownFields(in: values) == ["security", "passphrase", "advanced"])
    #expect(Self.form.schema.shownFields(in: [:]) == ["security", "advanced"])
    #expect(Self.form.shownFields(in: values).map(\.name) == ["security", "passphrase", "advanced"])
  }

  @Test("Conditions are written into the schema and read back")
  func conditionsAreKeptInJSON() throws {
    let json = Self.form.schema.json
    #expect(json["required"] == ["security"])
    #expect(json["properties"]?["passphrase"]?["x-shown-if"] == ["security": ["wpa", "enterprise"]])
    #expect(json["properties"]?["passphrase"]?["x-required-if-shown"] == true)
    #expect(json["properties"]?["method"]?["x-required-if-shown"] == nil)
    #expect(json["properties"]?["realm"]?["x-shown-if"] == ["advanced": [true], "method": [2]])
    #expect(try Schema(json: json) == Self.form.schema)
    #expect(try Form(schema: Schema(json: json), order: Self.form.order) == Self.form)
  }

  @Test("A condition that can never hold, is cyclic, or discloses a secret is refused when the form is validated")
  func badConditionIsRefused() {
    let text = Schema.string(title: "X")
    let list = Schema.array(of: .string(title: "Y"), title: "X")
    func refusal(_ fields: Field...) -> SchemaError? { #expect(throws: SchemaError.self) { try Form(fields).validate() } }
    let size = Field("size", .choice(title: "Size", of: Size.allCases))
    let place = "/properties/x/x-shown-if"
    #expect(refusal(Field("x", text).shown(if: "y", is: "a")) == SchemaError(at: place, .unknownProperty("y")))
    #expect(
      refusal(size, Field("x", text).shown(if: "size", is: "huge")) == SchemaError(at: place + "/size", .impossibleCondition))
    #expect(
      refusal(size, Field("x", text).shown(if: "size", is: .null)) == SchemaError(at: place + "/size", .impossibleCondition))
    #expect(
      refusal(size, Field("x", text).shown(if: [FieldCondition("size", is: [])]))
        == SchemaError(at: place + "/size", .impossibleCondition))
    #expect(
      refusal(Field("y", .secret(title: "Y")), Field("x", text).shown(if: "y", is: "a"))
        == SchemaError(at: place + "/y", .impossibleCondition))
    #expect(
      refusal(Field("y", list), Field("x", text).shown(if: "y", is: ["a"])) == SchemaError(at: place + "/y", .impossibleCondition)
    )
    #expect(
      refusal(size, Field("x", text).shown(if: "size", is: "small").shown(if: "size", is: "large"))
        == SchemaError(at: place, .duplicateProperty("size")))
    #expect(refusal(Field("x", text).shown(if: "x", is: "a")) == SchemaError(at: place, .cyclicCondition))
    #expect(
      refusal(
        Field("x", text).shown(if: "z", is: "a"), Field("y", text).shown(if: "x", is: "a"),
        Field("z", text).shown(if: "y", is: "a"))
        == SchemaError(at: place, .cyclicCondition))
    var annotated = text
    annotated.annotations["x-shown-if"] = ["size": ["small"]]
    #expect(refusal(size, Field("x", annotated)) == SchemaError(at: place, .badAnnotation))
  }

  @Test(
    "A malformed condition in JSON is refused with its place",
    arguments: [
      (["x-shown-if": "y"], "/x-shown-if", .malformed(expected: "an object with the values of other fields")),
      (["x-shown-if": [:]], "/x-shown-if", .malformed(expected: "an object with the values of other fields")),
      (["x-shown-if": ["y": "a"]], "/x-shown-if/y", .malformed(expected: "an array of values")),
      (["x-shown-if": ["z": ["a"]]], "/x-shown-if", .unknownProperty("z")),
      (["x-required-if-shown": true], "/x-required-if-shown", .badAnnotation),
      (
        ["x-shown-if": ["y": ["a"]], "x-required-if-shown": 1], "/x-required-if-shown", .malformed(expected: "true or false")
      ),
    ] as [([String: JSONValue], String, SchemaError.Reason)])
  func malformedConditionIsRefused(keywords: [String: JSONValue], pointer: String, reason: SchemaError.Reason) {
    let property = JSONValue.object(["type": "string", "title": "X"].merging(keywords) { $1 })
    let json: JSONValue = ["type": "object", "properties": ["x": property, "y": ["type": "string", "title": "Y"]]]
    #expect(throws: SchemaError(at: "/properties/x" + pointer, reason)) { try Schema(json: json) }
  }

  @Test("A field that is not always shown must not be in required, which would require it always")
  func conditionalFieldInRequiredIsRefused() {
    let json: JSONValue = [
      "type": "object", "required": ["x"],
      "properties": [
        "x": ["type": "string", "title": "X", "x-shown-if": ["y": ["a"]]], "y": ["type": "string", "title": "Y"],
      ],
    ]
    #expect(throws: SchemaError(at: "/properties/x/x-shown-if", .requiredCondition)) { try Schema(json: json) }
  }

  @Test("A form of a type has conditions by property, and its secrets too")
  func typedConditionsNameProperties() throws {
    let form = Form(Network.self)
    try form.validate()
    #expect(form.schema.check(["security": "open"]).isEmpty)
    #expect(form.schema.check(["security": "enterprise"]) == ["identity": "is required", "passphrase": "is required"])
    let payload = try form.schema.accept(["security": "wpa", "passphrase": "x", "identity": "ada", "domain": "y"])
    #expect(try payload.decoded(as: Network.self) == Network(security: .wpa, identity: nil, domain: nil))
    #expect(form.schema.shownFields(in: ["security": "enterprise", "identity": "bob"]).contains("domain"))
  }

  @Test("A long chain of conditions, and a cycle in a schema that was not validated, are evaluated in bounded time")
  func longChainIsEvaluated() {
    let text = Schema.string(title: "X")
    let fields = (0..<20_000).map { Field("f\($0)", text).shown(if: "f\($0 + 1)", is: "a") } + [Field("f20000", text)]
    let values = Dictionary(uniqueKeysWithValues: (0...20_000).map { ("f\($0)", JSONValue.string("a")) })
    let schema = Schema.object(fields)
    #expect(schema.shownFields(in: values).count == 20_001)
    #expect(schema.check(values).isEmpty)
    #expect(schema.shownFields(in: ["f20000": "b"]) == ["f20000"])
    let cycle = Schema.object(Field("x", text).shown(if: "y", is: "a"), Field("y", text).shown(if: "x", is: "a"))
    #expect(cycle.shownFields(in: ["x": "a", "y": "a"]) == [])
  }

  @Test("A field can be checked alone: a condition on a field that the schema does not have holds")
  func fieldIsCheckedAlone() throws {
    let field = try #require(Self.form.fields.first { $0.name == "passphrase" })
    #expect(Schema.object(field).check(["passphrase": "short"]) == ["passphrase": "must have at least 8 characters"])
  }
}
