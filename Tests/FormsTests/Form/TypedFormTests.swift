import Forms
import Testing

@Suite("Forms of a type", .timeLimit(.minutes(5)))
struct TypedFormTests {
  @Test("The fields of a typed form have the names of the properties, in the order of their declaration")
  func fieldsAreNamedAfterProperties() throws {
    let form = Form(Account.self)
    try form.validate()
    #expect(
      form.order == [
        "login", "age", "ratio", "news", "size", "port", "tags", "sizes", "addresses", "telephone", "password", "pin",
      ])
    #expect(form.schema.secretFields == ["password", "pin"])
    #expect(try Form(schema: Schema(json: form.schema.json), order: form.order) == form)
    #expect(Schema.object(Account.self) == form.schema)
  }

  @Test("A field is required unless its property is optional or the field says so")
  func optionalPropertyMakesOptionalField() {
    let required = Form(Account.self).fields.filter(\.isRequired).map(\.name)
    #expect(required == ["login", "news", "size", "port", "tags", "addresses", "password"])
  }

  @Test("A property's type limits its numbers and gives its choices")
  func typeLimitsTheSchema() throws {
    let schemas = Dictionary(uniqueKeysWithValues: Form(Account.self).fields.map { ($0.name, $0.schema) })
    #expect(schemas["port"]?.rule == .integer(Bounds(lower: .inclusive(1), upper: .inclusive(65_535))))
    #expect(schemas["age"]?.rule == .integer(Bounds(lower: .inclusive(0), upper: .inclusive(150))))
    #expect(schemas["size"] == .choice(title: "Size", [("small", "Small"), ("large", "Large")]))
    #expect(schemas["login"]?.purpose == .username)
    #expect(schemas["login"]?.message == "Use small letters")
    #expect(schemas["login"]?.examples == ["ada"])
    #expect(schemas["password"]?.isRevealable == true)
  }

  @Test("The values of an instance are the initial values of its form, and decode as the same instance")
  func valuesOfInstanceFillTheForm() throws {
    let values = Account.sample.initialValues
    #expect(
      values == [
        "login": "ada", "age": 36, "news": true, "size": "large", "port": 8080, "tags": ["a"], "sizes": ["small"],
        "addresses": [["ip": "::1"]], "telephone": "112",
      ])
    let payload = try Form(Account.self).schema.accept(values.merging(["password": "sesame"]) { $1 })
    #expect(try payload.decoded(as: Account.self) == .sample)
    #expect(payload.secret(Account.Secrets.password)?.withString { $0 } == "sesame")
    #expect(payload.secret(Account.Secrets.pin) == nil)
  }

  @Test("A number that JSON cannot represent is no initial value")
  func unrepresentableNumberIsNoInitialValue() {
    var account = Account.sample
    account.ratio = .infinity
    #expect(account.initialValues["ratio"] == nil)
    account.ratio = 0.5
    #expect(account.initialValues["ratio"] == 0.5)
  }

  @Test("Rule 7: A typed form refuses what its type could not decode, and names the entry of a list")
  func payloadThatCannotBeDecodedIsRefused() {
    var values = Account.sample.initialValues
    values.merge(["port": 70_000, "size": "huge", "addresses": [["ip": "::1"], ["ip": "x"]], "password": "x", "age": "1"]) { $1 }
    #expect(
      Form(Account.self).schema.check(values) == [
        "port": "must be 1 to 65535", "size": "is not one of: small, large",
        "addresses[1].ip": "is not an IP address such as 192.0.2.1 or 2001:db8::1", "age": "must be a whole number",
      ])
  }

  @Test("The properties of nested and generic types, and those with reserved names, have names")
  func unusualPropertiesHaveNames() throws {
    try Form(Unusual<[Int?]>.Nested.self).validate()
    #expect(Form(Unusual<[Int?]>.Nested.self).order == ["default", "größe"])
    try Form(Box<[Size]>.self).validate()
    #expect(Form(Box<[Size]>.self).order == ["content", "flag"])
    #expect(Box(content: [Size.small], flag: true).initialValues == ["content": ["small"], "flag": true])
  }

  enum Unusual<T> {
    struct Nested: FormValues {
      var `default`: String
      var größe: Int
      static var form: TypedForm<Self> {
        TypedForm(.text(\.default, title: "D"), .integer(\.größe, title: "G"))
      }
    }
  }

  struct Box<T: FormProperty & Codable>: FormValues {
    var content: T
    var flag: Bool
    static var form: TypedForm<Self> {
      TypedForm(
        TypedField(\.content, .array(of: .choice(title: "C", of: Size.allCases), title: "C")), .boolean(\.flag, title: "F"))
    }
  }
}
