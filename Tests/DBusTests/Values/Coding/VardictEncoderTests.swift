import DBus
import Testing

@Suite("Encoding to dictionaries of values", .timeLimit(.minutes(1)))
struct VardictEncoderTests {
  private let encoder = VardictEncoder()

  @Test("Every number is encoded as the D-Bus type of its width")
  func numberHasTypeOfItsWidth() throws {
    struct Numbers: Encodable {
      var a = Int8.min, b = Int16.min, c = Int32.min, d = Int64.min, e = Int.max
      var f = UInt8.max, g = UInt16.max, h = UInt32.max, i = UInt64.max, j = UInt.max
      var k = Float(0.5), l = 0.25
    }
    #expect(
      try encoder.encode(Numbers()) == [
        "a": .int16(-128), "b": .int16(.min), "c": .int32(.min), "d": .int64(.min), "e": .int64(.max), "f": .byte(255),
        "g": .uint16(.max), "h": .uint32(.max), "i": .uint64(.max), "j": .uint64(.max), "k": .double(0.5), "l": .double(0.25),
      ])
  }

  @Test("Strings, paths, signatures, and enumerations are encoded as their types, and nil as an absent key")
  func basicValuesHaveTheirTypes() throws {
    enum Style: String, Encodable { case push, modal }
    struct Basics: Encodable {
      var text = "é"
      var path = ObjectPath("/a")
      var signature = Signature("a{sv}")
      var style = Style.modal
      var flag = true
      var absent: Int?
      var present: Int? = 1
      var twice: Int?? = .some(nil)
    }
    #expect(
      try encoder.encode(Basics()) == [
        "text": .string("é"), "path": .objectPath("/a"), "signature": .signature("a{sv}"), "style": .string("modal"),
        "flag": .boolean(true), "present": .int64(1),
      ])
  }

  @Test("Nested objects are encoded as dictionaries of their own")
  func nestedObjectsBecomeDictionaries() throws {
    struct Inner: Encodable { var x: UInt32? = 1 }
    struct Outer: Encodable {
      var inner = Inner()
      var empty = Inner(x: nil)
      var map = ["k": 1.5]
    }
    #expect(
      try encoder.encode(Outer()) == [
        "inner": .vardict(["x": .uint32(1)]), "empty": .vardict([:]), "map": .vardict(["k": .double(1.5)]),
      ])
  }

  @Test("An array is encoded with its element type, even when empty if that is a basic type")
  func arrayHasTypeOfItsElements() throws {
    struct Inner: Encodable { var x = 1 }
    struct Arrays: Encodable {
      var texts = ["a", "b"], noTexts: [String] = [], noPaths: [ObjectPath] = [], bytes: [UInt8] = [1]
      var optional: [String]? = []
      var set: Set<Int32> = []
      var objects = [Inner()], noObjects: [Inner] = [], lists = [[1], []]
    }
    #expect(
      try encoder.encode(Arrays()) == [
        "texts": .strings(["a", "b"]), "noTexts": .strings([]), "noPaths": .objectPaths([]),
        "bytes": .array(of: .byte, [.byte(1)]), "optional": .strings([]), "set": .array(of: .int32, []),
        "objects": .vardicts([["x": .int64(1)]]), "noObjects": .array(of: .variant, []),
        "lists": .array(of: .array(.int64), [.array(of: .int64, [.int64(1)]), .array(of: .int64, [])]),
      ])
  }

  @Test("An array of different types is encoded as an array of variants")
  func mixedArrayBecomesVariants() throws {
    struct Mixed: Encodable {
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        var list = object.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
        try list.encode("x")
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(true, forKey: .a)
        _ = list.nestedUnkeyedContainer()
      }
    }
    let expected: [Value] = [
      .variant(.int64(1)), .variant(.string("x")), .variant(.vardict(["a": .boolean(true)])), .variant(.array(of: .variant, [])),
    ]
    #expect(try encoder.encode(Mixed()) == ["a": .array(of: .variant, expected)])
  }

  @Test("A class and its superclass are encoded without mixing their keys")
  func superclassKeysStaySeparate() throws {
    class Base: Encodable { var x = 1 }
    final class Derived: Base {
      override func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(2, forKey: .a)
        try super.encode(to: object.superEncoder())
      }
    }
    #expect(try encoder.encode(Derived()) == ["a": .int64(2), "super": .vardict(["x": .int64(1)])])
  }

  @Test("Encoding a value without keys as a dictionary is refused")
  func valueWithoutKeysIsRefused() {
    #expect(throws: EncodingError.self) { try encoder.encode(1) }
    #expect(throws: EncodingError.self) { try encoder.encode(["a"]) }
    #expect(throws: EncodingError.self) { try encoder.encode(Int?.none) }
    #expect(throws: Never.self) { try encoder.encode(["a": 1]) }
  }

  @Test("A nil in an array is refused, and the error names its place")
  func nilInArrayIsRefused() throws {
    let error = #expect(throws: EncodingError.self) { try encoder.encode(["a": [1, nil]]) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "1"])
  }

  @Test("Encoding an object with too much nesting is refused")
  func tooDeepObjectIsRefused() throws {
    final class Chain: Encodable {
      var next: Chain?
      init(length: Int) { next = length > 1 ? Chain(length: length - 1) : nil }
    }
    #expect(throws: EncodingError.self) { try encoder.encode(Chain(length: 1000)) }
    let longest = try encoder.encode(Chain(length: 21))
    try Value.vardict(longest).validated()
  }

  private enum Key: String, CodingKey { case a }
}
