import Forms
import Testing

@Suite("Payloads", .timeLimit(.minutes(5)))
struct PayloadTests {
  static let form = Form(
    Field("username", .string(title: "User name", length: 1...64)),
    Field("password", .secret(title: "Password", length: 1...128)),
    Field("pin", Schema(.integer(Bounds()), title: "PIN", isSecret: true)).optional,
    Field("age", .integer(title: "Age")).optional,
    Field("weights", .array(of: Schema(.integer(Bounds())), title: "Weights")).optional)

  @Test("Rule 8: The value of a writeOnly field arrives as a secret and nowhere else")
  func writeOnlyFieldArrivesAsSecret() throws {
    let payload = try Self.form.schema.accept(["username": "demo", "password": "open-sesame", "pin": 1234])
    #expect(payload.values == ["username": "demo"])
    #expect(payload["password"] == nil)
    #expect(payload.string("password") == nil)
    #expect(payload.secret("password")?.withString { $0 } == "open-sesame")
    #expect(payload.secret("pin")?.withString { $0 } == "1234")
    #expect(payload.secret("username") == nil)
    var dumped = ""
    dump(payload, to: &dumped)
    #expect(!dumped.contains("sesame") && !dumped.contains("1234"))
    #expect(!"\(payload)".contains("sesame"))
  }

  @Test("Rule 8: The refusal of a payload names its fields and repeats no secret")
  func refusalRepeatsNoSecret() {
    let secret = String(repeating: "sesame", count: 40)
    let error = #expect(throws: InvalidPayload.self) {
      try Self.form.schema.accept(["password": .string(secret), "pin": "sesame", "sesam": 1])
    }
    #expect(
      error?.fields == [
        "username": "is required", "password": "must have 1 to 128 characters", "pin": "must be a whole number",
        "sesam": "is not a known field",
      ])
    #expect(!"\(String(describing: error))".contains("sesame"))
  }

  @Test("A payload returns its values by type")
  func payloadReturnsValuesByType() {
    let payload = Payload(values: ["s": "x", "i": 3, "n": 2.5, "b": true, "a": [1], "null": .null], secrets: ["p": Secret("y")])
    #expect(payload.string("s") == "x")
    #expect(payload.integer("i") == 3)
    #expect(payload.number("i") == 3)
    #expect(payload.number("n") == 2.5)
    #expect(payload.boolean("b") == true)
    #expect(payload.array("a") == [1])
    #expect(payload["s"] == "x")
    #expect(payload.string("i") == nil)
    #expect(payload.values["null"] == nil)
    #expect(payload.secret("p") != nil)
  }

  @Test("A payload stores whole numbers as integers, however they were sent")
  func wholeNumbersBecomeIntegers() throws {
    let payload = try Self.form.schema.accept([
      "username": "a", "password": "b", "age": .number(3), "weights": [.number(1), 2],
    ])
    #expect(payload.values == ["username": "a", "age": 3, "weights": [1, 2]])
  }

  @Test("A payload decodes to a type of the flow")
  func payloadDecodesToFlowsType() throws {
    struct Input: Decodable, Equatable { var username: String; var age: Int? }
    let payload = try Self.form.schema.accept(["username": "a", "password": "b", "age": .null])
    #expect(try payload.decoded() == Input(username: "a", age: nil))
  }

  @Test("An invalid payload is described on one line, ordered by field name")
  func invalidPayloadIsDescribedOnOneLine() {
    #expect(InvalidPayload(fields: ["b": "is required", "a": "must be text"]).description == "a must be text; b is required")
  }
}
