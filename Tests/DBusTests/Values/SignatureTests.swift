import DBus
import Testing

@Suite("D-Bus signatures", .timeLimit(.minutes(5)))
struct SignatureTests {
  static let arrays32 = String(repeating: "a", count: 32)
  static let structures32 = (String(repeating: "(", count: 32), String(repeating: ")", count: 32))

  static let wrongTypes: [[SingleType]] = [
    [.structure([])],
    [.dictionary(key: .variant, value: .byte)],
    [.dictionary(key: .array(.byte), value: .byte)],
    Array(repeating: .byte, count: 256),
    [nested(33, in: .byte) { .array($0) }],
    [nested(33, in: .byte) { .structure([$0]) }],
    [nested(33, in: .byte) { .dictionary(key: .byte, value: $0) }],
    [nested(5000, in: .byte) { .array($0) }],
  ]

  @Test(
    "A valid signature is parsed and written back unchanged",
    arguments: [
      "", "y", "ybnqiuxtdsogv", "ay", "aay", "a{sv}", "aa{sv}", "a{s(iav)}", "(i)", "(i(ii)a(s))", "a(osst)", "a{ya{ya{yv}}}",
      arrays32 + "y", arrays32.dropLast() + "a{sv}", structures32.0 + "y" + structures32.1, String(repeating: "y", count: 255),
    ])
  func validSignatureRoundTrips(text: String) throws {
    let signature = try Signature(text)
    #expect(signature.string == text)
    #expect(signature.types.map(\.description).joined() == text)
    #expect(try Signature(types: signature.types) == signature)
  }

  @Test(
    "An invalid signature is refused",
    arguments: [
      "a", "aa", "(", ")", "()", "(i", "i)", "a{", "a{}", "a{s}", "a{sv", "a{svv}", "{sv}", "a{vs}", "a{(i)s}", "a{ass}", "h",
      "r",
      "e", "z", "i ", "i\0", "é", "(i)(", "a{s)}", "(a)", "((((", arrays32 + "ay", arrays32 + "a{sv}",
      structures32.0 + "(y)" + structures32.1, String(repeating: "y", count: 256), String(repeating: "a", count: 100_000),
      String(repeating: "(", count: 100_000), String(repeating: "a{y", count: 80),
    ])
  func invalidSignatureIsRefused(text: String) {
    #expect(throws: InvalidName(text, as: .signature)) { try Signature(text) }
  }

  @Test("The rules for signatures agree with libdbus, except for Unix file descriptors")
  func signatureRulesAgreeWithLibdbus() {
    var random = RandomValues(seed: 2)
    for _ in 0..<4000 {
      let text = random.signatureLike(length: 12)
      guard ((try? Signature(text)) != nil) == LibDBus.isSignature(text) else {
        Issue.record("libdbus thinks otherwise of \(text)")
        return
      }
    }
  }

  @Test(
    "Types that form no valid signature are refused",
    arguments: Self.wrongTypes)
  func typesWithoutSignatureAreRefused(types: [SingleType]) {
    #expect(throws: InvalidName.self) { try Signature(types: types) }
  }

  @Test("Types at the limits of length and depth form a signature")
  func typesAtTheLimitsAreAccepted() throws {
    #expect(try Signature(types: Array(repeating: .byte, count: 255)).string.utf8.count == 255)
    #expect(try Signature(types: [nested(32, in: .byte) { .array($0) }]).string == Self.arrays32 + "y")
    #expect(try Signature(types: [nested(32, in: .byte) { .structure([$0]) }]).single != nil)
  }

  @Test("Only a signature of exactly one type has a single type")
  func singleTypeNeedsExactlyOneType() {
    #expect(Signature("a{sv}").single == .dictionary(key: .string, value: .variant))
    #expect(Signature("ss").single == nil)
    #expect(Signature.empty.single == nil)
    #expect(Signature.empty == "")
  }

  @Test("The signature of arguments is that of their types, and accepts only such arguments")
  func signatureFollowsFromArguments() throws {
    let values: [Value] = [.vardict([:]), .structure([.byte(1), .variant(.string(""))]), .strings([])]
    let signature = try Signature(of: values)
    #expect(signature == "a{sv}(yv)as")
    #expect(signature.accepts(values))
    #expect(!signature.accepts(Array(values.dropLast())))
    #expect(!signature.accepts(values.reversed()))
    #expect(throws: InvalidValue.noSignature) { try Signature(of: [.structure([])]) }
    #expect(throws: InvalidValue.noSignature) { try Signature(of: Array(repeating: .byte(0), count: 256)) }
  }

  @Test(
    "Every type has the alignment from the specification",
    arguments: [
      (SingleType.byte, 1), (.signature, 1), (.variant, 1), (.int16, 2), (.uint16, 2), (.boolean, 4), (.int32, 4), (.uint32, 4),
      (.string, 4), (.objectPath, 4), (.array(.uint64), 4), (.dictionary(key: .byte, value: .byte), 4), (.int64, 8), (.uint64, 8),
      (.double, 8), (.structure([.byte]), 8),
    ])
  func typesHaveSpecifiedAlignment(type: SingleType, alignment: Int) { #expect(type.alignment == alignment) }
}
