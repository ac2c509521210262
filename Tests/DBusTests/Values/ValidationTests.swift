import DBus
import Testing

@Suite("Validation of values", .timeLimit(.minutes(5)))
struct ValidationTests {
  static let sendable: [Value] = [
    Value.array(of: .variant, [.variant(.byte(1)), .variant(.string("x"))]),
    .array(of: .structure([.byte, .array(.byte)]), [.structure([.byte(1), .array(of: .byte, [])])]),
    .dictionary(key: .objectPath, value: .vardict, [DictionaryEntry(key: .objectPath("/"), value: .vardict([:]))]),
    // The same key twice: the wire format leaves its meaning to the receiver.
    .dictionary(key: .byte, value: .byte, Array(repeating: DictionaryEntry(key: .byte(1), value: .byte(1)), count: 2)),
    .structure(Array(repeating: .byte(0), count: 253)), .string("\u{1}\u{FFFF}\u{10FFFF}"),
    nested(32, in: .byte(0)) { .structure([$0]) },
    nested(32, in: .byte(0)) { .array(of: $0.type, [$0]) }, nested(32, in: .byte(0)) { .array(of: $0.type, []) },
    // 32 arrays of 32 structures: 64 levels.
    nested(32, in: nested(32, in: .byte(0)) { .structure([$0]) }) { .array(of: $0.type, [$0]) },
  ]

  static let unsendable: [(Value, InvalidValue)] = [
    (Value.array(of: .byte, [.byte(1), .int16(1)]), InvalidValue.wrongType(expected: .byte, found: .int16)),
    (.array(of: .variant, [.byte(1)]), .wrongType(expected: .variant, found: .byte)),
    (.array(of: .array(.byte), [.array(of: .int16, [])]), .wrongType(expected: .array(.byte), found: .array(.int16))),
    (
      .array(of: .structure([.byte]), [.structure([.byte(1), .byte(1)])]),
      .wrongType(expected: .structure([.byte]), found: .structure([.byte, .byte]))
    ),
    (entry(.byte(1), .byte(1)), .wrongType(expected: .string, found: .byte)),
    (entry(.string(""), .byte(1)), .wrongType(expected: .variant, found: .byte)),
    (.string("a\0b"), .nulInString), (.vardict(["\0": .byte(1)]), .nulInString), (.variant(.string("\0")), .nulInString),
    (.structure([]), .noSignature), (.array(of: .structure([]), []), .noSignature), (.variant(.structure([])), .noSignature),
    (.dictionary(key: .variant, value: .byte, []), .noSignature),
    (.structure(Array(repeating: .byte(0), count: 254)), .noSignature),
    (.variant(.structure(Array(repeating: .byte(0), count: 254))), .noSignature),
    (nested(33, in: .byte(0)) { .structure([$0]) }, .noSignature),
    (nested(33, in: .byte(0)) { .array(of: $0.type, []) }, .noSignature),
    (nested(33, in: .byte(0)) { .array(of: $0.type, [$0]) }, .noSignature),
    (
      nested(1, in: nested(32, in: nested(32, in: .byte(0)) { .structure([$0]) }) { .array(of: $0.type, [$0]) }) { .variant($0) },
      .tooDeep
    ),
  ]

  @Test(
    "A value that a message can carry is valid",
    arguments: Self.sendable)
  func sendableValueIsValid(value: Value) throws {
    try value.validated()
    #expect(LibDBus.bodyLength([value]) == value.wireSize)
  }

  @Test(
    "A value that no message can carry is refused with the reason",
    arguments: Self.unsendable)
  func unsendableValueIsRefusedWithReason(value: Value, reason: InvalidValue) {
    #expect(throws: reason) { try value.validated() }
    #expect(throws: reason) { try Measure(of: [value]) }
    #expect(!reason.description.isEmpty)
  }

  @Test("A value with far too much nesting is refused before it is traversed")
  func farTooDeepValueIsRefusedEarly() {
    #expect(throws: InvalidValue.noSignature) { try nested(5000, in: Value.byte(0)) { .structure([$0]) }.validated() }
    #expect(throws: InvalidValue.tooDeep) { try nested(5000, in: Value.byte(0)) { .variant($0) }.validated() }
  }

  @Test("The arguments of a message together form one signature")
  func bodyArgumentsFormOneSignature() throws {
    try #expect(Measure(of: []).size == 0)
    try #expect(Measure(of: Array(repeating: .byte(0), count: 255)).size == 255)
    #expect(throws: InvalidValue.noSignature) { try Measure(of: Array(repeating: .byte(0), count: 256)) }
  }

  @Test("An array may take 64 MiB and no more, and a message twice as much")
  func arrayAndMessageSizesAreLimited() throws {
    // An object path, because its string is known to be valid and is not searched again, which would take seconds in an
    // unoptimized build.
    let mebibyte = Value.objectPath(try ObjectPath.root.appending(String(repeating: "x", count: (1 << 20) - 9)))
    #expect(mebibyte.wireSize + 3 == 1 << 20)
    try Value.array(of: .objectPath, Array(repeating: mebibyte, count: 64)).validated()
    #expect(throws: InvalidValue.arrayTooLarge) {
      try Value.array(of: .objectPath, Array(repeating: mebibyte, count: 64) + [.objectPath("/")]).validated()
    }
    #expect(throws: InvalidValue.messageTooLarge) { try Measure(of: Array(repeating: mebibyte, count: 130)) }
  }

  @Test("A value that shares its parts to appear huge is refused before it is traversed")
  func sharedPartsDoNotExplode() throws {
    let path = Value.objectPath(try ObjectPath.root.appending(String(repeating: "x", count: 1 << 16)))
    var value = Value.array(of: .objectPath, [path])
    for _ in 0..<20 { value = .array(of: value.type, Array(repeating: value, count: 1 << 8)) }
    #expect(throws: InvalidValue.arrayTooLarge) { try value.validated() }
  }

  @Test("A NUL character is found at any position of a string", arguments: [0, 1, 15, 16, 31, 63, 64, 99])
  func nulIsFoundAnywhere(position: Int) {
    var text = Array(repeating: UInt8(ascii: "x"), count: 100)
    #expect((try? Value.string(String(decoding: text, as: UTF8.self)).validated()) != nil)
    text[position] = 0
    #expect(throws: InvalidValue.nulInString) { try Value.string(String(decoding: text, as: UTF8.self)).validated() }
  }

  private static func entry(_ key: Value, _ value: Value) -> Value {
    .dictionary(key: .string, value: .variant, [DictionaryEntry(key: key, value: value)])
  }
}

extension SingleType {
  fileprivate static let vardict = SingleType.dictionary(key: .string, value: .variant)
}
