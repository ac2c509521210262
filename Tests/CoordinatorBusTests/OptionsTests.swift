import CoordinatorBus
import DBus
import Testing

@Suite("Options")
struct OptionsTests {
  private func read(_ options: [String: Value], allowing keys: Set<Options.Key> = Set(Options.Key.allCases)) throws -> Options {
    try Options(.vardict(options), allowing: keys)
  }

  private func refusal(_ options: [String: Value], allowing keys: Set<Options.Key> = Set(Options.Key.allCases)) throws -> String {
    let error = try #require(throws: DBusError.self) { try read(options, allowing: keys) }
    #expect(error.isStandard("InvalidArgs"))
    return error.message
  }

  @Test("come back from the bus as they were sent")
  func roundTrip() throws {
    let options = Options(
      request: "a-1", token: "T_1", lifetime: .caller, timeout: 5, seen: 7, style: .modal)
    #expect(try Options(options.value, allowing: Set(Options.Key.allCases)) == options)
    #expect(try Options(Options().value, allowing: []) == Options())
  }

  @Test("with an unknown key are refused, and the known ones are named")
  func unknownKey() throws {
    let message = try refusal(["tokn": .string("x")], allowing: [.token, .lifetime])
    #expect(message.contains("tokn"))
    #expect(message.contains("'lifetime', 'token'"))
    #expect(try refusal(["seen": .uint64(1)], allowing: [.request]).contains("seen"))
  }

  @Test("of a wrong type are refused", arguments: Options.Key.allCases)
  func wrongType(key: Options.Key) throws {
    #expect(try refusal([key.rawValue: .double(1)]).contains(key.rawValue))
    #expect(try refusal([key.rawValue: .array(of: .string, [])]).contains(key.rawValue))
  }

  @Test(
    "take any integer type that fits",
    arguments: [Value.byte(9), .int16(9), .uint32(9), .int64(9), .variant(.variant(.uint64(9)))])
  func integers(value: Value) throws {
    #expect(try read(["seen": value, "timeout": value]) == Options(timeout: 9, seen: 9))
  }

  @Test("refuse a negative number, and a timeout of 0")
  func range() throws {
    #expect(try refusal(["seen": .int32(-1)]).contains("seen"))
    #expect(try refusal(["timeout": .uint64(0)]).contains("timeout"))
    #expect(try read(["seen": .uint64(0)]).seen == 0)
  }

  @Test("take a{ss}")
  func texts() throws {
    let entry = DictionaryEntry(key: .string("lifetime"), value: .string("daemon"))
    #expect(try Options(.dictionary(key: .string, value: .string, [entry]), allowing: [.lifetime]).lifetime == .daemon)
  }

  @Test("take a request of 1 to 64 letters, digits, _ and -")
  func request() throws {
    let longest = String(repeating: "x", count: 64)
    #expect(try read(["request": .string(longest)]).request == longest)
    #expect(try read(["request": .string("A-z_09")]).request == "A-z_09")
    for bad in ["", longest + "x", "a b", "ä", "a/b"] { #expect(try refusal(["request": .string(bad)]).contains("request")) }
  }

  @Test("take a token of 1 to 64 letters, digits and _")
  func token() throws {
    #expect(try read(["token": .string("A_z09")]).token == "A_z09")
    for bad in ["", "a-b", String(repeating: "x", count: 65), "é", "a/b"] {
      #expect(try refusal(["token": .string(bad)]).contains("token"))
    }
  }

  @Test("take only the words that the contract knows")
  func choices() throws {
    #expect(try refusal(["lifetime": .string("forever")]).contains("\"daemon\" or \"caller\""))
    #expect(try refusal(["style": .string("root")]).contains("\"push\" or \"modal\""))
  }
}
