import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("Contract errors", .timeLimit(.minutes(5)))
struct ContractErrorTests {
  static let all: [ContractError] =
    [
      .unknownFlow(named: "pet"), .invalidInput(["kanji": "not in the dictionary"]), .tokenInUse("T1"),
      .unknownScreen(7),
      .unknownEvent(UnknownEvent("well", coordinator: CoordinatorPath(root: "pets_1"), screen: "pets", offered: ["feed"])),
      .invalidPayload(["age": "is needed", "name": "too long"]),
      .notDismissable(message: "the root screen stays"), .denied(message: "the basket is empty"),
      .flowFailed(Failure(code: "broken", message: "it broke")),
      .flowFailed(Failure(code: "broken", technical: "it broke")), .notStored(message: "disk full"),
    ] + Staleness.allCases.map { .staleScreen(3, why: $0) }

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

  @Test("say why a screen is stale in the body", arguments: Staleness.allCases)
  func staleness(why: Staleness) {
    #expect(ContractError.staleScreen(1, why: why).dbusError.extra == [.string(why.rawValue)])
  }

  @Test("An error from another service, or one with a malformed body, does not decode as a contract error")
  func foreignErrorIsNotAContractError() {
    #expect(ContractError(.invalidArgs("x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "Unheard", message: "x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "StaleScreen", message: "x")) == nil)
    #expect(ContractError(DBusError(name: Contract.errorPrefix + "InvalidPayload", message: "x")) == nil)
  }

  @Test("A failed flow's code is a field of the error, and an older daemon's error has none")
  func failureCodeIsAField() {
    let error = ContractError.flowFailed(Failure(code: "broken", message: "it broke"))
    #expect(error.dbusError.body == [.string("broken: it broke"), .string("broken")])
    let older = DBusError(name: Contract.errorPrefix + "FlowFailed", message: "broken: it broke")
    #expect(ContractError(older) == .flowFailed(message: "broken: it broke", code: ""))
  }
}
