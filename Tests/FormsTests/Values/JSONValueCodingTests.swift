import Forms
import Foundation
import Testing

@Suite("Coding between Swift and JSON values", .timeLimit(.minutes(5)))
struct JSONValueCodingTests {
  struct Visit: Codable, Equatable {
    enum Kind: String, Codable { case well, sick }
    enum Route: Codable, Equatable { case home, detail(id: Int) }
    var kind: Kind
    var pain: Int?
    var ratio: Double
    var small: UInt8
    var names: [String]
    var table: [String: [Float?]]
    var numbered: [Int: Bool]
    var routes: [Route]
    var extra: JSONValue
  }

  static let visit = Visit(
    kind: .sick, pain: nil, ratio: 2, small: 255, names: ["a"], table: ["x": [0.5, nil]], numbered: [1: true],
    routes: [.home, .detail(id: 3)], extra: ["k": [1, "two"]])
  static let json: JSONValue = [
    "kind": "sick", "ratio": 2, "small": 255, "names": ["a"], "table": ["x": [0.5, .null]], "numbered": ["1": true],
    "routes": [["home": [:]], ["detail": ["id": 3]]], "extra": ["k": [1, "two"]],
  ]

  @Test("A Swift value is encoded to JSON, with a nil optional as an absent key")
  func nilIsEncodedAsAbsentKey() throws {
    #expect(try JSONValue(encoding: Self.visit) == Self.json)
  }

  @Test("A JSON value decodes to the original Swift value")
  func jsonDecodesToTheOriginal() throws {
    #expect(try Self.json.decoded(as: Visit.self) == Self.visit)
  }

  @Test("A null decodes like an absent key")
  func nullDecodesAsAbsentKey() throws {
    struct Pair: Codable, Equatable { var a: Int?; var b: Int }
    #expect(try (["a": .null, "b": 1] as JSONValue).decoded() == Pair(a: nil, b: 1))
    let error = #expect(throws: DecodingError.self) { try (["b": .null] as JSONValue).decoded(as: Pair.self) }
    guard case .keyNotFound(let key, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(key.stringValue == "b")
  }

  @Test("A type mismatch error names the place and does not repeat the value")
  func typeErrorNamesPlaceNotValue() {
    struct Outer: Codable { var list: [[String: UInt8]] }
    for wrong in ["hunter2", 256, -1, 1.5, true, []] as [JSONValue] {
      let error = #expect(throws: DecodingError.self) {
        try (["list": [[:], ["x": wrong]]] as JSONValue).decoded(as: Outer.self)
      }
      guard case .typeMismatch(_, let context) = error else { return #expect(Bool(false), "\(String(describing: error))") }
      #expect(context.codingPath.map(\.stringValue) == ["list", "1", "x"])
      #expect(!String(describing: error).contains("hunter2"))
    }
  }

  @Test("A number that JSON cannot represent is refused with its place", arguments: [Double.nan, .infinity, -.infinity])
  func nonFiniteNumberIsRefused(number: Double) {
    let error = #expect(throws: EncodingError.self) { try JSONValue(encoding: ["a": [0.0, number] as [Double]]) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "1"])
  }

  @Test("An integer that does not fit is refused")
  func integerThatDoesNotFitIsRefused() throws {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: UInt64.max) }
    #expect(try JSONValue(encoding: UInt64(Int64.max)) == .integer(.max))
  }

  @Test("A class is coded together with its superclass")
  func classIsCodedWithItsSuperclass() throws {
    class Base: Codable { var a = 1 }
    final class Derived: Base {
      var b = 2
      override init() { super.init() }
      enum CodingKeys: CodingKey { case b }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decode(Int.self, forKey: .b)
        try super.init(from: container.superDecoder())
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(b, forKey: .b)
        try super.encode(to: container.superEncoder())
      }
    }
    let original = Derived()
    original.a = 7
    let json = try JSONValue(encoding: original)
    #expect(json == ["b": 2, "super": ["a": 7]])
    #expect(try json.decoded(as: Derived.self).a == 7)
  }

  @Test("Coding a deeply recursive type stops with an error instead of exhausting the stack")
  func recursiveTypeStopsAtDepthLimit() {
    final class Link: Codable {
      var next: Link?
      init(next: Link?) { self.next = next }
    }
    var json: JSONValue = [:]
    var link = Link(next: nil)
    for _ in 0..<1_000 {
      json = ["next": json]
      link = Link(next: link)
    }
    #expect(throws: DecodingError.self) { try json.decoded(as: Link.self) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: link) }
  }

  @Test("Values that are not objects and types without properties are coded")
  func nonObjectsAreCoded() throws {
    struct Nothing: Codable {}
    #expect(try JSONValue(encoding: "x") == "x")
    #expect(try JSONValue(encoding: [1, 2]) == [1, 2])
    #expect(try JSONValue(encoding: Int?.none) == .null)
    #expect(try JSONValue(encoding: Nothing()) == [:])
    #expect(try JSONValue.null.decoded(as: Int?.self) == nil)
    _ = try ([:] as JSONValue).decoded(as: Nothing.self)
  }

  @Test("A JSON value passes through other coders, where a number without a fraction becomes an integer")
  func jsonValuePassesThroughOtherCoders() throws {
    let text = #"{"a":[1,1.0,1.5,-9223372036854775808,18446744073709551615,true,false,null,"1"],"o":{}}"#
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let expected: JSONValue = [
      "a": [1, 1, 1.5, .integer(.min), .number(18_446_744_073_709_551_616), true, false, .null, "1"], "o": [:],
    ]
    #expect(value == expected)
    #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
  }
}
