import Testing

@testable import CoordinatorKit

@Suite("Call fingerprints", .timeLimit(.minutes(5)))
struct CallFingerprintTests {
  private let root = CoordinatorPath(root: "pets_1")

  private func call(_ screen: UInt64?, _ payload: [String: JSONValue], event: String = "submit") -> TreeCall {
    .delegate(root, screen: screen.map { ScreenID($0) }, event: event, payload: payload, seen: nil)
  }

  @Test("A fingerprint ignores the values of secret fields and distinguishes all others")
  func fingerprintIgnoresSecretValues() {
    let fingerprint = CallFingerprint(call(1, ["name": "anna", "pin": "1234"]), secretFields: ["pin"])
    #expect(fingerprint.matches(call(1, ["name": "anna", "pin": "9999"])))
    #expect(!fingerprint.matches(call(1, ["name": "otto", "pin": "1234"])))
  }

  @Test("Rule 8: Without a screen, no digest of the values is stored, since short values could be found by trying")
  func payloadWithoutScreenStoresNoDigest() throws {
    let fingerprints = (0...9).map { CallFingerprint(call(nil, ["pin": .string("\($0)")]), secretFields: []) }
    #expect(Set(try fingerprints.map { try StoredText.encode($0) }).count == 1)
    // Field names count, and so do the event and the screen.
    for other in [call(nil, [:]), call(nil, ["pan": "1"]), call(nil, ["pin": "1"], event: "other"), call(1, ["pin": "1"])] {
      #expect(try StoredText.encode(CallFingerprint(other, secretFields: [])) != StoredText.encode(fingerprints[1]))
    }
  }

  @Test("Without a screen, a fingerprint compares values until a restart and only their names afterwards")
  func valuesWithoutScreenCountUntilRestart() throws {
    let fingerprint = CallFingerprint(call(nil, ["pin": "1234"]), secretFields: [])
    #expect(fingerprint.matches(call(nil, ["pin": "1234"])))
    #expect(!fingerprint.matches(call(nil, ["pin": "9999"])))
    let restored = try StoredText.decode(CallFingerprint.self, from: StoredText.encode(fingerprint))
    #expect(restored.matches(call(nil, ["pin": "1234"])))
    #expect(restored.matches(call(nil, ["pin": "9999"])))
    #expect(!restored.matches(call(nil, ["pan": "1234"])))
    #expect(!restored.matches(call(nil, ["pin": "1234"], event: "other")))
  }

  @Test("A fingerprint stored by an older version matches its own call and no other")
  func olderFingerprintIsRecognized() throws {
    let calls = [
      call(nil, ["pin": "1234"]), call(7, ["name": "anna"]), .back(ScreenID(3)), .dismiss(root, animated: true),
      .startChild(root, flow: "pets", input: ["a": 1], router: .modal),
    ]
    for call in calls {
      let digest = try StoredText.encode(call.digest(without: [], as: .fnv1a))
      let kept = try StoredText.decode(CallFingerprint.self, from: #"{"digest":\#(digest),"secretFields":[]}"#)
      for other in calls { #expect(kept.matches(other) == (other == call)) }
      #expect(!kept.matches(self.call(nil, ["pin": "9999"])))
      #expect(try StoredText.encode(kept).contains("high"))
    }
  }
}
