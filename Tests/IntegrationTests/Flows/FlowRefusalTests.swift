import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import TestBus
import Testing

@Suite("What the flows refuse, by the errors of the contract", .timeLimit(.minutes(1)))
struct FlowRefusalTests {
  @Test(
    "an input that is not in the data: InvalidInput with its key, and nothing is started",
    arguments: [
      ("kanji-detail", ["kanji": "龍"], ["kanji"]), ("kanji-detail", [:], ["kanji"]),
      ("kanji-detail", ["kanji": "水", "size": "1"], ["size"]), ("kanji-list", ["word": "龍"], ["word"]),
      ("product-details", ["product": "boat"], ["product"]), ("account", ["user": "demo"], ["user"]),
    ])
  func input(flow: String, input: [String: String], keys: [String]) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let refusal = await Self.refusal { _ = try await client.manager.startFlow(flow, input: input.mapValues(JSONValue.string)) }
    guard case .invalidInput(_, let reasons)? = refusal else { Issue.record("\(String(describing: refusal))"); return }
    #expect(reasons.keys.sorted() == keys)
    #expect(try await client.manager.listActive().isEmpty)
  }

  @Test(
    "an answer that the screen does not allow: InvalidPayload with its field, and the screen is as it was",
    arguments: [
      ("kanji", "select", ["id": "龍"], ["id"]), ("shop-main", "select", ["id": "boat"], ["id"]),
      ("quotes", "select", ["id": "q0"], ["id"]), ("quotes", "select", [:], ["id"]),
      ("account", "submit", ["username": "", "password": "secret"], ["username"]),
      ("account", "submit", ["username": "demo"], ["password"]),
      ("account", "submit", ["username": "demo", "password": "secret", "pin": "1"], ["pin"]),
    ])
  func answer(flow: String, event: String, payload: [String: String], fields: [String]) async throws {
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

  @Test("check-out of an empty basket: Denied with the reason")
  func denied() async throws {
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
