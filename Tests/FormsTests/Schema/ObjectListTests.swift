import Forms
import Testing

@Suite("Lists of objects", .timeLimit(.minutes(5)))
struct ObjectListTests {
  static let address = Schema.object(
    Field("ip", .ipAddress(title: "Address")), Field("prefix", .integer(title: "Prefix", range: 0...128)).optional,
    Field("kind", .choice(title: "Kind", [("host", "Host"), ("net", "Network")])).optional,
    Field("gateway", .ipAddress(title: "Gateway")).shown(if: "kind", is: "net"))
  static let schema = Schema.object(
    Field("addresses", .array(of: address, title: "Addresses", count: 1...3, isUnique: true)))

  static func check(_ entries: JSONValue) -> [String: String] { schema.check(["addresses": entries]) }

  @Test("Rule 7: The fields of each entry are checked, and named with their place")
  func entriesAreChecked() {
    #expect(Self.check([["ip": "::1"], ["ip": "192.0.2.1", "prefix": 24]]).isEmpty)
    #expect(
      Self.check([["ip": "::1"], ["prefix": 200, "metric": 1, "kind": .null]]) == [
        "addresses[1].ip": "is required", "addresses[1].prefix": "must be 0 to 128",
        "addresses[1].metric": "is not a known field",
      ])
    // Only the first invalid entry is reported, so that a long list gives no long error.
    #expect(Self.check([["ip": "x"], ["ip": "y"]]).keys.sorted() == ["addresses[0].ip"])
    #expect(Self.check([["ip": "::1"], "::1"]) == ["addresses[1]": "must be an entry with fields"])
    #expect(Self.check("::1") == ["addresses": "must be a list"])
    #expect(Self.check([]) == ["addresses": "must have 1 to 3 entries"])
    // The count is checked before the entries, because it limits the cost of their patterns.
    #expect(Self.check(["x", "x", "x", "x"]) == ["addresses": "must have 1 to 3 entries"])
  }

  @Test("Rule 7: Equal entries are found, also if they are written differently")
  func equalEntriesAreFound() {
    let repetition = ["addresses": "must not contain the same entry twice"]
    #expect(Self.check([["ip": "::1", "prefix": 1], ["prefix": .number(1), "ip": "::1"]]) == repetition)
    #expect(Self.check([["ip": "::1", "prefix": .null], ["ip": "::1"]]) == repetition)
    #expect(Self.check([["ip": "::1", "gateway": "x"], ["ip": "::1"]]) == repetition)
    #expect(Self.check([["ip": "::1"], ["ip": "::2"]]).isEmpty)
  }

  @Test("Rule 7: Fields of entries that are not shown are dropped, and whole numbers become integers")
  func entriesAreNormalized() throws {
    let raw: [String: JSONValue] = [
      "addresses": [["ip": "::1", "prefix": .number(64), "gateway": "tea"], ["ip": "::1", "kind": "net", "gateway": "::2"]]
    ]
    #expect(
      try Self.schema.accept(raw).values == [
        "addresses": [["ip": "::1", "prefix": 64], ["ip": "::1", "kind": "net", "gateway": "::2"]]
      ])
    #expect(Self.check([["ip": "::1", "kind": "net"]]) == ["addresses[0].gateway": "is required"])
  }

  @Test("A list of objects is written as JSON Schema, and read back")
  func listIsKeptInJSON() throws {
    let json = Self.schema.json
    #expect(json["properties"]?["addresses"]?["items"]?["type"] == "object")
    #expect(json["properties"]?["addresses"]?["items"]?["required"] == ["ip"])
    #expect(json["properties"]?["addresses"]?["items"]?["additionalProperties"] == false)
    #expect(try Schema(json: json) == Self.schema)
  }

  @Test("Secrets, lists and objects in an entry are refused, and so are mistakes in its fields")
  func entryHasScalarsOnly() {
    func refusal(_ field: Field) -> SchemaError? {
      #expect(throws: SchemaError.self) { try Form(Field("x", .array(of: .object(field), title: "X"))).validate() }
    }
    let place = "/properties/x/items/properties/y"
    #expect(refusal(Field("y", .secret(title: "Y"))) == SchemaError(at: place, .badSecret))
    #expect(refusal(Field("y", .array(of: .boolean(title: "Z"), title: "Y"))) == SchemaError(at: place, .unsupportedType))
    #expect(refusal(Field("y", Schema(.object([]), title: "Y"))) == SchemaError(at: place, .unsupportedType))
    #expect(refusal(Field("y", .string(title: ""))) == SchemaError(at: place, .missingTitle))
    #expect(refusal(Field("y", .string(title: "Y", length: ...(-1)))) == SchemaError(at: place + "/minLength", .emptyBounds))
    let slow = Schema.string(title: "Y", length: ...10_000, pattern: "(a?){2000}$")
    #expect(refusal(Field("y", slow)) == SchemaError(at: place + "/pattern", .costlyPattern("(a?){2000}$")))
    #expect(
      refusal(Field("y", .string(title: "Y")).shown(if: "z", is: "a"))
        == SchemaError(at: place + "/x-shown-if", .unknownProperty("z")))
    let secret: JSONValue = [
      "type": "object",
      "properties": [
        "x": [
          "type": "array", "title": "X",
          "items": ["type": "object", "properties": ["y": ["type": "string", "title": "Y", "writeOnly": true]]],
        ]
      ],
    ]
    #expect(throws: SchemaError(at: place, .badSecret)) { try Schema(json: secret) }
  }

  @Test("A default of a list of objects has to conform, and the error names the place in it")
  func defaultConforms() {
    var list = Schema.array(of: Self.address, title: "X")
    list.defaultValue = [["ip": "x"]]
    #expect(
      throws: SchemaError(
        at: "/properties/x/default", .badDefault("[0].ip is not an IP address such as 192.0.2.1 or 2001:db8::1"))
    ) { try Form(Field("x", list)).validate() }
  }
}
