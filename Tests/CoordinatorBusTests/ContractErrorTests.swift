import CoordinatorBus
import DBus
import Testing

@Suite("Contract errors", .timeLimit(.minutes(1)))
struct ContractErrorTests {
  static let all: [ContractError] =
    [
      .unknownFlow(named: "pet"), .invalidInput(["kanji": "not in the dictionary"]), .tokenInUse("T1"),
      .unknownScreen(7), .unknownEvent(named: "well"), .invalidPayload(["age": "is needed", "name": "too long"]),
      .notDismissable(message: "the root screen stays"), .denied(message: "the basket is empty"),
      .flowFailed(message: "it broke"), .notStored(message: "disk full"),
    ] + ContractError.Staleness.allCases.map { .staleScreen(3, why: $0) }

  @Test("A contract error survives a round trip over the bus", arguments: all)
  func contractErrorRoundTripsOverTheBus(error: ContractError) {
    #expect(ContractError(error.dbusError) == error)
    #expect(error.dbusError.name == "org.coordinatord.Coordinator1.Error." + error.shortName)
    #expect(!error.message.isEmpty)
  }

  @Test("An invalid-payload error lists each field and its reason in the body, as a{ss}")
  func payloadErrorNamesFieldsInBody() {
    let body = ContractError.invalidPayload(["b": "2", "a": "1"]).dbusError.body
    #expect(body.count == 2)
    #expect(
      body[1]
        == .dictionary(
          key: .string, value: .string,
          [
            DictionaryEntry(key: .string("a"), value: .string("1")),
            DictionaryEntry(key: .string("b"), value: .string("2")),
          ]))
  }

  @Test("A stale-screen error states its reason in the body", arguments: ContractError.Staleness.allCases)
  func staleScreenErrorStatesReason(why: ContractError.Staleness) {
    #expect(ContractError.staleScreen(1, why: why).dbusError.extra == [.string(why.rawValue)])
  }

  @Test("An error from another service, or one with a malformed body, does not decode as a contract error")
  func foreignErrorIsNotAContractError() {
    #expect(ContractError(.invalidArgs("x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "Unheard", message: "x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "StaleScreen", message: "x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "InvalidPayload", message: "x")) == nil)
  }
}
