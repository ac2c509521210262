import Foundation
import Testing

@testable import Forms

@Suite("Values as JSON text", .timeLimit(.minutes(5)))
struct JSONTextTests {
  /// A typical state of a flow.
  struct Sample: Codable, Equatable {
    enum Step: Codable, Equatable {
      case first
      case second(Int, name: String)
    }
    final class Box: Codable, Equatable {
      var inner: [Box] = []
      init(_ inner: [Box] = []) { self.inner = inner }
      static func == (left: Box, right: Box) -> Bool { left.inner == right.inner }
    }
    var text = "x/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é\"\\\u{2028}"
    var number = 1.0
    var fraction = 0.1
    var large = 1e20
    var huge = 123_456_789_012_345_680.0
    var zero = -0.0
    var single: Float = 0.1
    var most = UInt64.max
    var least = Int64.min
    var byte: UInt8 = 255
    var yes = true
    var absent: Int?
    var list: [Int?] = [1, nil, 3]
    var steps: [Step] = [.first, .second(2, name: "two")]
    var sparse: [String: Int?] = ["é": 1, "Z": nil, "a10": 2, "a9": 3, "e\u{301}x": 4, "": 5]
    var byNumber = [2: "b", 10: "a"]
    var byStep: [[Int]: String] = [[1]: "a"]
    var box = Box([Box(), Box([Box()])])
    var json: JSONValue = ["a": [1, 2.5, .null, true], "b": .null, "c": "\u{8}"]
    var set: Set<Int> = [7]
    var data = Data([0, 1, 2, 255])
    var noData = Data()
    var address = URL(string: "https://example.org/a%20b?c=d")
    var price = Decimal(string: "1234.50")
    var debt = Decimal(string: "-0.00000000000000000000000000000000000001")
    var free = Decimal(0)
    var date = Date(timeIntervalSinceReferenceDate: 1.5)
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var range = 1..<5
  }

  private func encodedByFoundation(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("Values are encoded as Foundation encodes them, so that what older versions have stored equals what is stored now")
  func valuesAreEncodedLikeFoundation() throws {
    #expect(try JSONText.encode(Sample()) == encodedByFoundation(Sample()))
    #expect(try JSONText.encode([Sample()]) == encodedByFoundation([Sample()]))
    #expect(try JSONText.encode("é") == encodedByFoundation("é"))
    #expect(try JSONText.encode(Data([1])) == encodedByFoundation(Data([1])))
    #expect(try JSONText.encode(Int?.none) == "null")
  }

  @Test("What either of them has encoded, the other one decodes")
  func foundationAndJSONTextReadEachOther() throws {
    let text = try JSONText.encode(Sample())
    #expect(try JSONText.decode(Sample.self, from: text.utf8) == Sample())
    #expect(try JSONDecoder().decode(Sample.self, from: Data(text.utf8)) == Sample())
    #expect(try JSONText.decode(Sample.self, from: encodedByFoundation(Sample()).utf8) == Sample())
  }

  @Test(
    "A decimal number keeps all its digits",
    arguments: [
      "0", "1", "-1", "10", "1.5", "0.1", "12345678901234567890123456789012345678", "1e20", "-2.5e-30", "1000000", "65536",
      "0.065536",
      "18446744073709551616",
    ])
  func decimalsKeepTheirDigits(text: String) throws {
    let decimal = try JSONText.decode(Decimal.self, from: text.utf8)
    #expect(decimal == Decimal(string: text))
    #expect(try decimal == JSONDecoder().decode(Decimal.self, from: Data(text.utf8)))
    #expect(try JSONText.decode(Decimal.self, from: JSONText.encode(decimal).utf8) == decimal)
  }

  @Test("A decimal number that is out of range is an error", arguments: ["1e400", "1e99999999999999999999", "1e-400"])
  func decimalsOutOfRangeAreErrors(text: String) {
    #expect(throws: DecodingError.self) { try JSONText.decode(Decimal.self, from: text.utf8) }
  }

  @Test("An address that is relative to another one survives")
  func relativeAddressesSurvive() throws {
    let address = try #require(URL(string: "b", relativeTo: URL(string: "https://example.org/a/")))
    #expect(try JSONText.decode(URL.self, from: JSONText.encode(address).utf8).absoluteString == "https://example.org/a/b")
  }

  @Test("What does not fit a type is an error with its path")
  func mismatchesAreErrors() {
    #expect(throws: DecodingError.self) { try JSONText.decode(Int.self, from: "\"1\"".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode(UInt8.self, from: "256".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode(Int.self, from: "1.5".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode(Double.self, from: "1e400".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode(Data.self, from: "\"%\"".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode([Int].self, from: "[null]".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode(JSONValue.self, from: "[1e400]".utf8) }
    #expect(throws: DecodingError.self) { try JSONText.decode([Int].self, from: "[1".utf8) }
    let error = #expect(throws: DecodingError.self) { try JSONText.decode([String: [Int]].self, from: "{\"a\":[1,true]}".utf8) }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("expected a mismatch")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a", "1"])
  }

  @Test("Integers may be written with a fraction of zero or an exponent", arguments: ["100", "1e2", "100.0"])
  func integersMayHaveExponents(text: String) throws { #expect(try JSONText.decode(Int.self, from: text.utf8) == 100) }

  @Test("What JSON cannot represent is an error")
  func othersAreErrors() {
    struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
    #expect(throws: EncodingError.self) { try JSONText.encode(Double.nan) }
    #expect(throws: EncodingError.self) { try JSONText.encode(["a": Float.infinity]) }
    #expect(throws: EncodingError.self) { try JSONText.encode(JSONValue.number(.infinity)) }
    #expect(throws: EncodingError.self) { try JSONText.encode(Decimal.nan) }
    #expect(throws: EncodingError.self) { try JSONText.encode(Nothing()) }
    #expect((try? JSONText.encode([Nothing()])) == "[{}]")
  }

  @Test("A value that is nested too deeply is an error, and no reason to overflow the stack")
  func depthIsLimited() throws {
    let box = (0..<1_000).reduce(Sample.Box()) { box, _ in Sample.Box([box]) }
    #expect(throws: EncodingError.self) { try JSONText.encode(box) }
    let json = (0..<1_000).reduce(JSONValue.null) { json, _ in [json] }
    #expect(throws: EncodingError.self) { try JSONText.encode(json) }
    let deep = (0..<200).reduce(Sample.Box()) { box, _ in Sample.Box([box]) }
    #expect(try JSONText.decode(Sample.Box.self, from: JSONText.encode(deep).utf8) == deep)
  }
}
