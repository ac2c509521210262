import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("the flow that Docs/writing-flows.md shows parts of")
struct JoinNetworkTests {
  /// Lets in who knows the passphrase, and everybody into an open network.
  private struct Doorman: Radio {
    struct KeptOut: Error {}

    func join(_ network: String, passphrase: Secret?) throws {
      guard passphrase?.withString({ $0 == "open-sesame" }) ?? true else { throw KeptOut() }
    }
  }

  private func started() async throws -> TestFlow { try await TestFlow.start { JoinNetwork(radio: Doorman()) } }

  @Test("every way through is walked")
  func explored() async throws {
    var explorer = try FlowExplorer { JoinNetwork(radio: Doorman()) }
    explorer.answers = [
      "network": [
        ["name": "home", "security": "wpa", "passphrase": "open-sesame"],
        ["name": "home", "security": "wpa", "passphrase": "sesame-open"],
      ]
    ]
    let walk = try await explorer.walk()
    try walk.expect(screens: ["network", "joined"], refusingDismiss: ["network"])
    #expect(Set(walk.outcomes) == [.finished([:]), .cancelled])
  }

  @Test("a passphrase is required where the network has one")
  func missingPassphrase() async throws {
    let flow = try await started()
    await #expect(throws: CallError.refused(.invalidPayload(["passphrase": "is required by this network"]))) {
      try await flow.send("join", ["name": "home", "security": "wpa"])
    }
    #expect(try await flow.state.revision == 1)
  }
}
