import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import CoordinatorDaemon

@Suite("Rule 8: Which calls may contain a secret", .timeLimit(.minutes(5)))
struct SecretCallTests {
  private static let path = CoordinatorPath(root: "flow_1")

  private func delegate(_ screen: UInt64?, _ payload: [String: JSONValue] = ["name": "x"]) -> TreeCall {
    .delegate(Self.path, screen: screen.map { ScreenID($0) }, event: "submit", payload: payload, seen: nil)
  }

  @Test("A form with a secret field makes its payloads and drafts confidential, also on a screen that is covered")
  func secretFieldMakesCallsConfidential() async throws {
    let state = try await TestFlow.start(input: ["mode": "form"]) { Lab() }.state
    #expect(delegate(1).mayHoldSecret(for: state))
    #expect(TreeCall.saveDraft(ScreenID(1), ["name": "x"]).mayHoldSecret(for: state))
  }

  @Test("A screen without a secret field does not, and neither does an empty payload")
  func otherScreensAreNotConfidential() async throws {
    let state = try await TestFlow.start { Lab() }.state
    #expect(!delegate(1).mayHoldSecret(for: state))
    #expect(!delegate(99, [:]).mayHoldSecret(for: nil))
  }

  @Test("A call counts as confidential if the screen is unknown: one that is gone, none at all, or one of an unknown tree")
  func unknownCountsAsConfidential() async throws {
    let state = try await TestFlow.start { Lab() }.state
    #expect(delegate(99).mayHoldSecret(for: state))
    #expect(delegate(nil).mayHoldSecret(for: state))
    #expect(delegate(1).mayHoldSecret(for: nil))
  }

  @Test("Going back, dismissing and starting a child contain no secret")
  func otherCallsAreNotConfidential() {
    for call in [
      TreeCall.back(ScreenID(1)), .dismiss(Self.path, animated: true),
      .startChild(Self.path, flow: "lab", input: ["name": "x"], router: .modal),
    ] {
      #expect(!call.mayHoldSecret(for: nil))
    }
  }
}
