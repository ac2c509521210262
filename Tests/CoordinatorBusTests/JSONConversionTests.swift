import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("Conversion between JSON and D-Bus values", .timeLimit(.minutes(5)))
struct JSONConversionTests {
  @Test("Each kind of JSON value is sent as one D-Bus type")
  func eachJSONKindHasOneDBusType() throws {
    #expect(try Value(json: 3) == .int64(3))
    #expect(try Value(json: .number(2.5)) == .double(2.5))
    #expect(try Value(json: true) == .boolean(true))
    #expect(try Value(json: "text") == .string("text"))
    #expect(try Value(json: ["a", "b"]) == .array(of: .string, [.string("a"), .string("b")]))
    #expect(try Value(json: ["a", 1]) == .array(of: .variant, [.variant(.string("a")), .variant(.int64(1))]))
    #expect(try Value(json: []) == .array(of: .string, []))
    #expect(try Value(json: ["b": 1, "a": "x"]) == .vardict(["a": .string("x"), "b": .int64(1)]))
  }

  @Test("A null member is omitted from its object, at any depth")
  func nullMemberIsOmitted() throws {
    #expect(try Value(json: ["a": .null, "b": ["c": .null]]) == .vardict(["b": .vardict([:])]))
  }

  @Test("A null inside an array is refused")
  func nullInArrayIsRefused() {
    #expect(throws: JSONConversionError.nullInArray(path: ["a", "1"])) { try Value(json: ["a": ["x", .null]]) }
  }

  @Test("A number that JSON cannot represent is refused", arguments: [Double.nan, .infinity, -.infinity])
  func nonFiniteNumberIsRefused(number: Double) {
    #expect(throws: JSONConversionError.notFinite(path: ["n"])) { try Value(json: ["n": .number(number)]) }
    #expect(throws: JSONConversionError.notFinite(path: ["n"])) {
      try JSONValue(value: .vardict(["n": .double(number)]))
    }
  }

  @Test("A JSON object survives the conversion to D-Bus and back")
  func jsonObjectRoundTrips() throws {
    let object: [String: JSONValue] = [
      "integer": -7, "number": 0.25, "boolean": false, "text": "日本", "texts": ["a"], "empty": [],
      "mixed": [1, "b", ["c": [true]]], "object": ["inner": ["x": 1]],
    ]
    #expect(try JSONValue.object(from: .object(object)) == object)
  }

  @Test(
    "Every D-Bus integer type is accepted as a JSON number",
    arguments: [Value.byte(5), .int16(5), .uint16(5), .int32(5), .uint32(5), .int64(5), .uint64(5)])
  func everyIntegerTypeIsAccepted(value: Value) throws {
    #expect(try JSONValue(value: value) == 5)
  }

  @Test("An integer that does not fit is refused")
  func outOfRangeIntegerIsRefused() {
    #expect(throws: JSONConversionError.outOfRange(path: ["n"])) {
      try JSONValue(value: .vardict(["n": .uint64(.max)]))
    }
  }

  @Test("A dictionary of type a{ss}, arrays of any type, and nested variants are accepted")
  func lenientContainersAreAccepted() throws {
    let texts = Value.dictionary(
      key: .string, value: .string, [DictionaryEntry(key: .string("a"), value: .string("b"))])
    #expect(try JSONValue.object(from: texts) == ["a": "b"])
    #expect(try JSONValue(value: .array(of: .byte, [.byte(1), .byte(2)])) == [1, 2])
    #expect(try JSONValue(value: .variant(.variant(.variant(.string("x"))))) == "x")
  }

  @Test("D-Bus types without a JSON counterpart are refused")
  func typesWithoutJSONCounterpartAreRefused() {
    #expect(throws: JSONConversionError.noCounterpart(type: "o", path: ["p"])) {
      try JSONValue(value: .vardict(["p": .objectPath("/a")]))
    }
    #expect(throws: JSONConversionError.noCounterpart(type: "(s)", path: [])) {
      try JSONValue(value: .structure([.string("x")]))
    }
    #expect(throws: JSONConversionError.keysNotText(path: [])) {
      try JSONValue(value: .dictionary(key: .int32, value: .string, []))
    }
    #expect(throws: JSONConversionError.notAnObject(path: [])) { try JSONValue.object(from: .string("x")) }
  }

  @Test("A key that occurs twice is refused")
  func duplicateKeyIsRefused() {
    let entry = DictionaryEntry(key: .string("k"), value: .variant(.string("v")))
    #expect(throws: JSONConversionError.duplicateKey("k", path: [])) {
      try JSONValue(value: .dictionary(key: .string, value: .variant, [entry, entry]))
    }
  }

  private func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(JSONValue.string("bottom")) { inner, _ in .object(["k": inner]) }
  }

  @Test("Values may be nested eight levels deep and no deeper, in both directions")
  func nestingIsLimitedToEightLevels() throws {
    let deep = try Value(json: nested(8))
    #expect(try JSONValue(value: deep) == nested(8))
    #expect(throws: JSONConversionError.self) { try Value(json: nested(9)) }
    let tooDeep = try Value(json: nested(9), depthLimit: 20)
    let error = try #require(throws: JSONConversionError.self) { try JSONValue(value: tooDeep) }
    #expect(error.dbusError.isStandard("LimitsExceeded"))
  }

  @Test("Variants do not count as nesting levels")
  func variantsDoNotCountAsLevels() throws {
    let wrapped = (0..<20).reduce(Value.string("x")) { inner, _ in .variant(inner) }
    #expect(try JSONValue(value: wrapped) == "x")
  }

  @Test("A conversion error is sent as InvalidArgs with the path of the wrong value")
  func conversionErrorBecomesInvalidArgs() {
    let error = JSONConversionError.outOfRange(path: ["visit", "0"]).dbusError
    #expect(error.isStandard("InvalidArgs"))
    #expect(error.message.contains("visit.0"))
  }
}
