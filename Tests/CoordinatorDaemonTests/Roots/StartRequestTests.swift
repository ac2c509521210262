import CoordinatorKit
import Testing

@testable import CoordinatorDaemon

@Suite("Comparison of start requests", .timeLimit(.minutes(5)))
struct StartRequestTests {
  @Test(
    "Two requests for the same flow are recognized by digest, even one stored by an older version",
    arguments: [Digest.Kind.sha256, .fnv1a])
  func sameFlowIsRecognizedByDigest(_ kind: Digest.Kind) {
    let kept = StartRequest.digest(flow: "pets", input: ["a": 1], as: kind)
    #expect(request("pets", ["a": 1]).isFor(kept))
    #expect(!request("pets", ["a": 2]).isFor(kept))
    #expect(!request("lab", ["a": 1]).isFor(kept))
    var first = request("pets", ["a": 1])
    first.digest = kept
    #expect(first.isSame(as: request("pets", ["a": 1])))
    #expect(!first.isSame(as: request("pets", ["a": 2])))
    first.token = nil
    #expect(!first.isSame(as: request("pets", ["a": 1])))
  }

  private func request(_ flow: String, _ input: [String: JSONValue]) -> StartRequest {
    StartRequest(
      flow: flow, input: input, token: "mine", sender: ":1.1", client: ":1.1", endsWithCaller: false, timeout: nil,
      digest: StartRequest.digest(flow: flow, input: input))
  }
}
