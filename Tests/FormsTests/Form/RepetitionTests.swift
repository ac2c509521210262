import Forms
import Testing

@Suite("Values that are typed twice", .timeLimit(.minutes(5)))
struct RepetitionTests {
  static let form = Form(
    Field("again", .secret(title: "Once more")).sameAs("password").optional,
    Field("password", .secret(title: "Password", length: 4...)).optional)

  @Test("A value that is not the one of the other field is refused at its field, and the reason repeats neither")
  func differenceIsRefused() throws {
    let schema = Self.form.schema
    let reasons = ["again": "is not the same as Password"]
    #expect(schema.check(["password": "open-sesame", "again": "open-sesamE"]) == reasons)
    #expect(schema.check(["password": "open-sesame", "again": "open"]) == reasons)
    #expect(throws: InvalidPayload(fields: reasons)) {
      try schema.accept(["password": "open-sesame", "again": "open-sesamE"])
    }
    let payload = try schema.accept(["password": "open-sesame", "again": "open-sesame"])
    #expect(payload.secrets.keys.sorted() == ["again", "password"])
  }

  @Test("Texts that only look the same are different")
  func bytesAreCompared() {
    #expect(Self.form.schema.check(["password": "caf\u{E9}", "again": "cafe\u{301}"]).keys.sorted() == ["again"])
  }

  @Test("An absent value is the same as an absent value only")
  func absentValues() {
    let schema = Self.form.schema
    #expect(schema.check([:]).isEmpty)
    #expect(schema.check(["password": .null]).isEmpty)
    #expect(schema.check(["password": "open-sesame"]) == ["again": "is not the same as Password"])
    #expect(schema.check(["again": "open-sesame", "password": .null]) == ["again": "is not the same as Password"])
  }

  @Test("Another reason against the value, and the author's message, come first")
  func oneReason() {
    let form = Form(
      Field("mail", .string(title: "Address")),
      Field("again", .string(title: "Once more", length: 3...).explained("Type it twice.")).sameAs("mail"))
    #expect(form.schema.check(["mail": "tea", "again": "te"]) == ["again": "Type it twice."])
    #expect(form.schema.check(["mail": "tea", "again": "tee"]) == ["again": "Type it twice."])
    #expect(form.schema.check(["mail": "tea"]) == ["again": "is required"])
    #expect(form.schema.check(["mail": 1, "again": "tea"])["mail"] == "must be text")
  }

  @Test("The rule does not apply while a field is hidden, or where a renderer checks one field alone")
  func absentFields() {
    let form = Form(
      Field("new", .boolean(title: "New")), Field("password", .secret(title: "Password")).shown(if: "new", is: true),
      Field("again", .secret(title: "Once more")).sameAs("password").optional)
    #expect(form.schema.check(["new": false, "password": "tea", "again": "tee"]).isEmpty)
    #expect(form.schema.check(["new": true, "password": "tea", "again": "tee"]).keys.sorted() == ["again"])
    #expect(Form(form.fields[2]).schema.check(["again": "tee"]).isEmpty)
  }

  @Test("The name of the other field is written into the schema and read back")
  func nameIsKeptInJSON() throws {
    let json = Self.form.schema.json
    #expect(json["properties"]?["again"]?["x-same-as"] == "password")
    #expect(json["properties"]?["password"]?["x-same-as"] == nil)
    #expect(try Schema(json: json) == Self.form.schema)
    #expect(throws: SchemaError(at: "/properties/again/x-same-as", .malformed(expected: "the name of another field"))) {
      try Schema(json: ["type": "object", "properties": ["again": ["type": "string", "title": "Again", "x-same-as": true]]])
    }
  }

  @Test("A field cannot repeat itself, an unknown field, another type, or a secret in the open")
  func impossibleRepetitionIsRefused() {
    let place = "/properties/x/x-same-as"
    func refusal(_ fields: Field...) -> SchemaError? { #expect(throws: SchemaError.self) { try Form(fields).validate() } }
    let text = Field("x", .string(title: "X")).sameAs("y")
    #expect(refusal(text) == SchemaError(at: place, .unknownProperty("y")))
    #expect(refusal(text.sameAs("x")) == SchemaError(at: place, .impossibleRepetition))
    #expect(refusal(text, Field("y", .secret(title: "Y"))) == SchemaError(at: place, .impossibleRepetition))
    #expect(refusal(text, Field("y", .integer(title: "Y"))) == SchemaError(at: place, .impossibleRepetition))
    let list = Schema.array(of: .string(title: "X"), title: "X")
    #expect(
      refusal(Field("x", list).sameAs("y"), Field("y", .string(title: "Y"))) == SchemaError(at: place, .impossibleRepetition))
    var annotated = Schema.string(title: "X")
    annotated.annotations["x-same-as"] = "y"
    #expect(refusal(Field("x", annotated), Field("y", .string(title: "Y"))) == SchemaError(at: place, .badAnnotation))
  }

  @Test("A type names the properties and secrets that are typed twice")
  func typedForm() throws {
    let form = Form(Account.self)
    try form.validate()
    #expect(form.schema.json["properties"]?["check"]?["x-same-as"] == "e-mail")
    #expect(form.schema.json["properties"]?["repeated"]?["x-same-as"] == "password")
  }

  private struct Account: FormValues {
    var mail = ""
    var check = ""
    enum Secrets: String, SecretNames { case password, repeated }
    enum CodingKeys: String, CodingKey {
      case mail = "e-mail"
      case check
    }

    static let form = TypedForm<Account>(
      .text(\.mail, title: "Address", name: "e-mail"), .text(\.check, title: "Address, once more", length: 0...9).sameAs(\.mail),
      .secret(.password, title: "Password"), .secret(.repeated, title: "Password, once more").sameAs(.password))
  }
}
