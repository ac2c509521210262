import DBus
import Testing

@Suite("Decoding from dictionaries of values", .timeLimit(.minutes(1)))
struct VardictDecoderTests {
  private let decoder = VardictDecoder()

  private enum Style: String, Codable { case push, modal }

  private struct Inner: Codable, Equatable { var x: UInt32? = 1 }

  private struct Everything: Codable, Equatable {
    var a = Int8.min, b = Int16.min, c = Int32.min, d = Int64.min, e = Int.max
    var f = UInt8.max, g = UInt16.max, h = UInt32.max, i = UInt64.max, j = UInt.max
    var k = Float(0.5), l = 0.25, flag = true, text = "é"
    var path = ObjectPath("/a"), signature = Signature("a{sv}"), style = Style.modal
    var absent: Int?, present: Int? = 1, inner = Inner(), inners = [Inner(), Inner(x: nil)], none: [Inner] = []
    var map = ["k": ["l": 1]], numbered = [3: "x"], texts = ["a"], lists = [[1], []], set: Set<String> = ["q"]
  }

  @Test("An encoded value is decoded unchanged, inside variants or not")
  func encodedValueIsDecoded() throws {
    let values = try VardictEncoder().encode(Everything())
    try Value.vardict(values).validated()
    #expect(try decoder.decode(Everything.self, from: values) == Everything())
    #expect(try decoder.decode(from: values.mapValues { .variant(.variant($0)) }) == Everything())
    #expect(try decoder.decode(from: .variant(.vardict(values))) == Everything())
  }

  @Test(
    "A number decodes from any integer type that it fits",
    arguments: [
      Value.byte(7), .int16(7), .uint16(7), .int32(7), .uint32(7), .int64(7), .uint64(7), .variant(.byte(7)),
    ])
  func numberDecodesFromAnyIntegerType(value: Value) throws {
    #expect(try decoder.decode(Int8.self, from: value) == 7)
    #expect(try decoder.decode(UInt64.self, from: value) == 7)
    #expect(try decoder.decode(Int.self, from: value) == 7)
    #expect(try decoder.decode(Double.self, from: value) == 7)
  }

  @Test("A number that does not fit is refused as corrupted data")
  func overflowIsCorruptedData() throws {
    for (type, value) in [
      (UInt8.self as any (Decodable & Sendable).Type, Value.int16(256)), (UInt.self, .int16(-1)), (Int.self, .uint64(.max)),
    ] {
      let error = #expect(throws: DecodingError.self) { _ = try decoder.decode(type, from: value) }
      guard case .dataCorrupted = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    "A value of another type is refused, and the error names its place",
    arguments: [
      Value.string("1"), .boolean(true), .double(1), .structure([.byte(1)]), .vardict([:]), .objectPath("/"),
    ])
  func wrongTypeErrorNamesItsPlace(value: Value) throws {
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([String: [Int]].self, from: ["a": .array(of: .variant, [.variant(.byte(1)), .variant(value)])])
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "1"])
  }

  @Test("Strings, object paths, and signatures do not decode as each other")
  func stringsPathsAndSignaturesDoNotConvert() {
    #expect(throws: DecodingError.self) { try decoder.decode(String.self, from: .objectPath("/a")) }
    #expect(throws: DecodingError.self) { try decoder.decode(ObjectPath.self, from: .string("/a")) }
    #expect(throws: DecodingError.self) { try decoder.decode(Signature.self, from: .string("s")) }
    #expect(throws: DecodingError.self) { try decoder.decode(Bool.self, from: .byte(1)) }
    #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: .boolean(true)) }
  }

  @Test("A missing key is refused by name, and an unknown key is ignored")
  func missingKeyIsNamedAndUnknownIgnored() throws {
    struct Needs: Decodable { var key: Int }
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Needs.self, from: ["other": .byte(1)]) }
    guard case .keyNotFound(let key, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "key")
    #expect(try decoder.decode(Needs.self, from: ["key": .byte(1), "other": .byte(1)]).key == 1)
  }

  @Test("An object decodes from any dictionary with string keys, and a list decodes from a structure")
  func containersDecodeFromLooseTypes() throws {
    let numbers = Value.dictionary(key: .string, value: .byte, [DictionaryEntry(key: .string("a"), value: .byte(1))])
    #expect(try decoder.decode([String: Int].self, from: numbers) == ["a": 1])
    #expect(try decoder.decode([Int].self, from: .structure([.byte(1), .int64(2)])) == [1, 2])
    #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: .array(of: .byte, [])) }
    #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: .vardict([:])) }
  }

  @Test("A list that is too short is refused")
  func shortListIsRefused() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try list.decode(Int.self)
        _ = try list.decode(Int.self)
      }
    }
    #expect(throws: DecodingError.self) { try decoder.decode(Pair.self, from: .array(of: .byte, [.byte(1)])) }
  }

  @Test("Decoding a value with far too much nesting is refused")
  func tooDeepValueIsRefused() {
    final class Chain: Decodable { let next: Chain? }
    let value = nested(500, in: Value.vardict([:])) { .vardict(["next": $0]) }
    #expect(throws: DecodingError.self) { try decoder.decode(Chain.self, from: value) }
  }

  @Test("A class decodes its superclass from the key that the encoder uses")
  func superclassDecodesFromItsKey() throws {
    struct Outer: Decodable {
      var inner: Inner
      init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        inner = try Inner(from: object.superDecoder())
      }
      enum Key: CodingKey { case a }
    }
    #expect(try decoder.decode(Outer.self, from: ["super": .vardict(["x": .byte(3)])]).inner == Inner(x: 3))
  }
}
