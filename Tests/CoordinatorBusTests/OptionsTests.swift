import CoordinatorBus
import DBus
import Testing

@Suite("Call options", .timeLimit(.minutes(5)))
struct OptionsTests {
  private func read(_ options: [String: Value], allowing keys: Set<Options.Key> = Set(Options.Key.allCases)) throws -> Options {
    try Options(.vardict(options), allowing: keys)
  }

  private func refusal(_ options: [String: Value], allowing keys: Set<Options.Key> = Set(Options.Key.allCases)) throws -> String {
    let error = try #require(throws: DBusError.self) { try read(options, allowing: keys) }
    #expect(error.isStandard("InvalidArgs"))
    return error.message
  }

  @Test("Call options survive a round trip over the bus")
  func optionsRoundTripOverTheBus() throws {
    let options = Options(
      request: "a-1", token: "T_1", lifetime: .caller, timeout: 5, seen: 7, style: .modal)
    #expect(try Options(options.value, allowing: Set(Options.Key.allCases)) == options)
    #expect(try Options(Options().value, allowing: []) == Options())
  }

  @Test("An unknown option is refused with a message that lists the known ones")
  func unknownOptionIsRefused() throws {
    let message = try refusal(["tokn": .string("x")], allowing: [.token, .lifetime])
    #expect(message.contains("tokn"))
    #expect(message.contains("'lifetime', 'token'"))
    #expect(try refusal(["seen": .uint64(1)], allowing: [.request]).contains("seen"))
  }

  @Test("An option of the wrong type is refused", arguments: Options.Key.allCases)
  func optionOfWrongTypeIsRefused(key: Options.Key) throws {
    #expect(try refusal([key.rawValue: .double(1)]).contains(key.rawValue))
    #expect(try refusal([key.rawValue: .array(of: .string, [])]).contains(key.rawValue))
  }

  @Test(
    "Numeric options accept any integer type that fits",
    arguments: [Value.byte(9), .int16(9), .uint32(9), .int64(9), .variant(.variant(.uint64(9)))])
  func numericOptionsAcceptAnyInteger(value: Value) throws {
    #expect(try read(["seen": value, "timeout": value]) == Options(timeout: 9, seen: 9))
  }

  @Test("A negative number and a timeout of 0 are refused")
  func negativeNumberAndZeroTimeoutAreRefused() throws {
    #expect(try refusal(["seen": .int32(-1)]).contains("seen"))
    #expect(try refusal(["timeout": .uint64(0)]).contains("timeout"))
    #expect(try read(["seen": .uint64(0)]).seen == 0)
  }

  @Test("Options are accepted as a dictionary of strings")
  func optionsAcceptStringDictionary() throws {
    let entry = DictionaryEntry(key: .string("lifetime"), value: .string("daemon"))
    #expect(try Options(.dictionary(key: .string, value: .string, [entry]), allowing: [.lifetime]).lifetime == .daemon)
  }

  @Test("A request key consists of 1 to 64 letters, digits, underscores, and hyphens")
  func requestKeyHasLimitedAlphabet() throws {
    let longest = String(repeating: "x", count: 64)
    #expect(try read(["request": .string(longest)]).request == longest)
    #expect(try read(["request": .string("A-z_09")]).request == "A-z_09")
    for bad in ["", longest + "x", "a b", "ä", "a/b"] { #expect(try refusal(["request": .string(bad)]).contains("request")) }
  }

  @Test("A token consists of 1 to 64 letters, digits, and underscores")
  func tokenHasLimitedAlphabet() throws {
    #expect(try read(["token": .string("A_z09")]).token == "A_z09")
    for bad in ["", "a-b", String(repeating: "x", count: 65), "é", "a/b"] {
      #expect(try refusal(["token": .string(bad)]).contains("token"))
    }
  }

  @Test("Options with fixed choices accept only the words of the contract")
  func choiceOptionsAcceptOnlyKnownWords() throws {
    #expect(try refusal(["lifetime": .string("forever")]).contains("\"daemon\" or \"caller\""))
    #expect(try refusal(["style": .string("root")]).contains("\"push\" or \"modal\""))
  }
}
