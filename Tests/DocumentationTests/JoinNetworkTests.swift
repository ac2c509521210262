import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("The example flow of Docs/writing-flows.md", .timeLimit(.minutes(5)))
struct JoinNetworkTests {
  /// A radio that admits devices with the passphrase, and all devices to an open network.
  private struct Doorman: Radio {
    struct KeptOut: Error {}

    func join(_ network: String, passphrase: Secret?) throws {
      guard passphrase?.withString({ $0 == "open-sesame" }) ?? true else { throw KeptOut() }
    }
  }

  private func started() async throws -> TestFlow { try await TestFlow.start { JoinNetwork(radio: Doorman()) } }

  @Test("Every way through join-network works")
  func everyWayThroughJoinNetworkWorks() async throws {
    var explorer = try FlowExplorer { JoinNetwork(radio: Doorman()) }
    explorer.answers = [
      "network": [
        ["name": "home", "security": "wpa", "passphrase": "open-sesame"],
        ["name": "home", "security": "wpa", "passphrase": "sesame-open"],
      ]
    ]
    let walk = try await explorer.walk()
    try walk.expect(screens: ["network", "joined"], refusingCancel: ["network"])
    #expect(Set(walk.outcomes) == [.finished([:]), .cancelled])
  }

  @Test("A secured network requires a passphrase")
  func passphraseIsRequiredByASecuredNetwork() async throws {
    let flow = try await started()
    await #expect(throws: CallError.refused(.invalidPayload(["passphrase": "is required by this network"]))) {
      try await flow.send("join", ["name": "home", "security": "wpa"])
    }
    #expect(try await flow.state.revision == 1)
  }
}
