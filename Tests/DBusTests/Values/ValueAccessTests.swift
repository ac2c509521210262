import DBus
import Testing

@Suite("Access to values", .timeLimit(.minutes(5)))
struct ValueAccessTests {
  static let integerTable: [(Value, Int64?, UInt64?)] = [
    (Value.byte(255), Int64(255), UInt64(255)), (.int16(-1), -1, nil), (.uint16(.max), 65535, 65535),
    (.int32(.min), -2_147_483_648, nil),
    (.uint32(.max), 4_294_967_295, 4_294_967_295), (.int64(.min), .min, nil), (.int64(.max), .max, UInt64(Int64.max)),
    (.uint64(.max), nil, .max), (.variant(.variant(.byte(1))), 1, 1), (.double(1), nil, nil), (.boolean(true), nil, nil),
    (.string("1"), nil, nil), (.structure([.byte(1)]), nil, nil),
  ]

  static let doubleTable: [(Value, Double?)] = [
    (Value.double(0.5), 0.5), (.byte(3), 3), (.int64(-(1 << 53)), -9_007_199_254_740_992), (.int64((1 << 53) + 1), nil),
    (.uint64(1 << 63), 9_223_372_036_854_775_808), (.uint64(.max), nil), (.variant(.double(1)), 1), (.string("1"), nil),
    (.boolean(true), nil), (.double(.infinity), .infinity),
  ]

  @Test(
    "An integer is read from any integer type whose value fits",
    arguments: Self.integerTable)
  func integerIsReadFromAnyFittingType(value: Value, signed: Int64?, unsigned: UInt64?) {
    #expect(value.integer == signed)
    #expect(value.uint64 == unsigned)
  }

  @Test(
    "A floating-point number is also read from integers that it represents exactly",
    arguments: Self.doubleTable)
  func doubleIsReadFromExactIntegers(value: Value, number: Double?) { #expect(value.double == number) }

  @Test("Values are read through variants, and only as their own type")
  func valuesAreReadThroughVariants() {
    let path = ObjectPath("/a")
    #expect(Value.variant(.string("x")).string == "x")
    #expect(Value.objectPath(path).string == nil)
    #expect(Value.signature("s").string == nil)
    #expect(Value.variant(.objectPath(path)).objectPath == path)
    #expect(Value.string("/a").objectPath == nil)
    #expect(Value.variant(.boolean(true)).bool == true)
    #expect(Value.byte(1).bool == nil)
    #expect(Value.variant(.strings(["a"])).elements == [.string("a")])
    #expect(Value.vardict([:]).elements == nil)
    #expect(Value.structure([.byte(1)]).members == [.byte(1)])
    #expect(Value.structure([.byte(1)]).elements == nil)
    #expect(Value.variant(.variant(.byte(1))).unwrapped == .byte(1))
  }

  @Test("A dictionary of named values is sorted by name, and its values are wrapped once")
  func namedValuesAreSortedAndWrappedOnce() {
    let value = Value.vardict(["b": .byte(1), "a": .variant(.byte(2))])
    let entries = [
      DictionaryEntry(key: .string("a"), value: .variant(.variant(.byte(2)))),
      DictionaryEntry(key: .string("b"), value: .variant(.byte(1))),
    ]
    #expect(value == .dictionary(key: .string, value: .variant, entries))
    #expect(value.vardict == ["b": .byte(1), "a": .variant(.byte(2))])
    #expect(Value.variant(value).vardict == value.vardict)
  }

  @Test("A dictionary of strings is read as one of named values, and no other dictionary is")
  func stringDictionaryReadsAsNamedValues() {
    func dictionary(_ key: Value, _ value: Value) -> Value {
      .dictionary(key: key.type, value: value.type, [DictionaryEntry(key: key, value: value)])
    }
    #expect(dictionary(.string("a"), .string("b")).vardict == ["a": .string("b")])
    #expect(dictionary(.string("a"), .byte(1)).vardict == nil)
    #expect(dictionary(.byte(1), .variant(.byte(1))).vardict == nil)
    #expect(Value.strings([]).vardict == nil)
    #expect(Value.dictionary(key: .string, value: .string, []).vardict == [:])
    let lying = Value.dictionary(key: .string, value: .variant, [DictionaryEntry(key: .byte(1), value: .byte(1))])
    #expect(lying.vardict == nil)
  }

  @Test("Of two entries with the same name, the last one wins")
  func lastDuplicateNameWins() {
    let entries = [1, 2].map { DictionaryEntry(key: .string("a"), value: .variant(.byte($0))) }
    #expect(Value.dictionary(key: .string, value: .variant, entries).vardict == ["a": .byte(2)])
  }

  @Test("A value has exactly one type", arguments: 100..<110 as Range<UInt64>)
  func valueHasOnlyItsOwnType(seed: UInt64) {
    var random = RandomValues(seed: seed)
    for _ in 0..<100 {
      let type = random.type(depth: 3)
      let other = random.type(depth: 3)
      let value = random.value(of: type, depth: 3)
      #expect(value.type == type)
      #expect(value.isOf(type))
      #expect(value.isOf(other) == (type == other))
    }
  }

  @Test("Lists keep their types even when they are empty")
  func emptyListsKeepTheirTypes() {
    #expect(Value.strings([]) == .array(of: .string, []))
    #expect(Value.objectPaths(["/a"]) == .array(of: .objectPath, [.objectPath("/a")]))
    #expect(Value.vardicts([]).type.description == "aa{sv}")
    #expect(Value.vardicts([["a": .byte(1)]]).elements == [.vardict(["a": .byte(1)])])
  }
}
