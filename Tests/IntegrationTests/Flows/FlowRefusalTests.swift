import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import TestBus
import Testing

@Suite("The contract's errors as the flows use them", .timeLimit(.minutes(5)))
struct FlowRefusalTests {
  @Test(
    "An input that the flow does not accept is refused as InvalidInput with its keys, and nothing is started",
    arguments: [
      ("kanji-detail", ["kanji": "龍"], ["kanji"]), ("kanji-detail", [:], ["kanji"]),
      ("kanji-detail", ["kanji": "水", "size": "1"], ["size"]), ("kanji-list", ["word": "龍"], ["word"]),
      ("product-details", ["product": "boat"], ["product"]), ("account", ["user": "demo"], ["user"]),
    ])
  func invalidInputStartsNothing(flow: String, input: [String: String], keys: [String]) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let refusal = await Self.refusal { _ = try await client.manager.startFlow(flow, input: input.mapValues(JSONValue.string)) }
    guard case .invalidInput(_, let reasons)? = refusal else { Issue.record("\(String(describing: refusal))"); return }
    #expect(reasons.keys.sorted() == keys)
    #expect(try await client.manager.listActive().isEmpty)
  }

  @Test(
    "A payload that the screen does not allow is refused as InvalidPayload with its fields, without effect",
    arguments: [
      ("kanji", "select", ["id": "龍"], ["id"]), ("shop-main", "select", ["id": "boat"], ["id"]),
      ("quotes", "select", ["id": "q0"], ["id"]), ("quotes", "select", [:], ["id"]),
      ("account", "submit", ["username": "", "password": "secret"], ["username"]),
      ("account", "submit", ["username": "demo"], ["password"]),
      ("account", "submit", ["username": "demo", "password": "secret", "pin": "1"], ["pin"]),
    ])
  func invalidPayloadChangesNothing(flow: String, event: String, payload: [String: String], fields: [String]) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await Flow.start(flow, client)
    let before = try await flow.router.window()
    let top = try #require(before.screens.last)
    let refusal = await Self.refusal {
      _ = try await client.coordinator(top.coordinator)
        .delegate(screen: top.id, event: event, payload: payload.mapValues(JSONValue.string))
    }
    guard case .invalidPayload(_, let reasons)? = refusal else { Issue.record("\(String(describing: refusal))"); return }
    #expect(reasons.keys.sorted() == fields)
    #expect(try await flow.router.window() == before)
  }

  @Test("Checking out an empty basket is refused as Denied with the reason")
  func checkOutOfAnEmptyBasketIsDenied() async throws {
    let daemon = try await RunningDaemon.start()
    let flow = try await Flow.start("shop-main", try await daemon.client())
    #expect(await Self.refusal { try await flow.send("check-out") } == .denied(message: "the basket is empty"))
  }

  private static func refusal(_ body: () async throws -> Void) async -> ContractError? {
    do {
      try await body()
    } catch ClientError.refused(let refusal) {
      return refusal
    } catch {
      Issue.record(error)
    }
    return nil
  }
}
