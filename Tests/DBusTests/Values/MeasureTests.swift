import DBus
import Testing

@Suite("Measurement of values", .timeLimit(.minutes(5)))
struct MeasureTests {
  @Test(
    "A value's measured depth and size are those of the marshalled value",
    arguments: [
      (Value.byte(1), 0, 1), (.boolean(true), 0, 4), (.int16(1), 0, 2), (.uint16(1), 0, 2), (.int32(1), 0, 4), (.uint32(1), 0, 4),
      (.int64(1), 0, 8), (.uint64(1), 0, 8), (.double(.nan), 0, 8), (.string(""), 0, 5), (.string("é"), 0, 7),
      (.objectPath("/a"), 0, 7), (.signature("a{sv}"), 0, 7), (.array(of: .byte, []), 1, 4), (.array(of: .uint64, []), 1, 8),
      (.array(of: .byte, [.byte(1), .byte(2)]), 1, 6), (.array(of: .string, [.string(""), .string("")]), 1, 17),
      (.array(of: .array(.uint64), [.array(of: .uint64, [])]), 2, 8), (.vardict([:]), 1, 8), (.vardict(["a": .byte(7)]), 3, 18),
      (.structure([.byte(1), .uint32(1)]), 1, 8), (.structure([.structure([.byte(1)])]), 2, 1), (.variant(.byte(1)), 1, 4),
      (.variant(.uint64(1)), 1, 16), (.variant(.variant(.byte(1))), 2, 7), (.variant(.vardict([:])), 2, 16),
    ])
  func measureMatchesMarshalledValue(value: Value, depth: Int, size: Int) throws {
    let measure = try value.measured()
    #expect(measure.depth == depth)
    #expect(measure.size == size)
    #expect(value.depth == depth)
    #expect(value.wireSize == size)
    #expect(LibDBus.bodyLength([value]) == size)
  }

  @Test("The measured size of a body is exactly that of libdbus", arguments: 0..<20 as Range<UInt64>)
  func bodySizeAgreesWithLibdbus(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    for _ in 0..<100 {
      let body = (0..<4).map { _ in
        let type = random.type(depth: 4)
        return random.value(of: type, depth: 4)
      }
      #expect(try Measure(of: body).size == LibDBus.bodyLength(body))
    }
  }

  @Test("Wherever a value begins, it takes at most seven bytes more than it measures alone", arguments: 20..<30 as Range<UInt64>)
  func sizeGrowsBySevenBytesAtMost(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    for _ in 0..<20 {
      let type = random.type(depth: 3)
      let value = random.value(of: type, depth: 3)
      for offset in 1...7 {
        let before = Array(repeating: Value.byte(0), count: offset)
        let size = try Measure(of: before + [value]).size
        #expect(size - offset <= value.wireSize + 7)
      }
    }
  }

  @Test("Values with 64 levels can be sent, in agreement with libdbus, and values with 65 cannot")
  func depthLimitAgreesWithLibdbus() throws {
    let deepest = Self.variants(64)
    #expect(try deepest.measured().depth == 64)
    #expect(LibDBus.bodyLength([deepest]) == deepest.wireSize)
    #expect(throws: InvalidValue.tooDeep) { try Self.variants(65).validated() }
    #expect(LibDBus.bodyLength([Self.variants(65)]) == nil)
  }

  @Test("Twenty-one nested dictionaries can be sent, and twenty-two cannot")
  func nestedDictionariesAreLimited() throws {
    let deepest = Self.vardicts(21)
    #expect(try deepest.measured().depth == 1 + 20 * 3 + 2)
    #expect(LibDBus.bodyLength([deepest]) == deepest.wireSize)
    #expect(throws: InvalidValue.tooDeep) { try Self.vardicts(22).validated() }
    #expect(LibDBus.bodyLength([Self.vardicts(22)]) == nil)
  }

  @Test("The measure of a value that cannot be sent exceeds every limit")
  func unsendableValueExceedsEveryLimit() {
    #expect(Self.variants(10_000).depth == .max)
    #expect(Self.variants(10_000).wireSize == .max)
    #expect(Value.structure([]).wireSize == .max)
  }

  static func variants(_ count: Int) -> Value { nested(count, in: .byte(0)) { .variant($0) } }

  /// Returns nested dictionaries, the innermost of which contains a number.
  static func vardicts(_ count: Int) -> Value { nested(count, in: .byte(0)) { .vardict(["": $0]) } }
}
