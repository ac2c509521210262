import Testing

@testable import CoordinatorKit

@Suite("What is kept of a call under a request key")
struct CallFingerprintTests {
  private let root = CoordinatorPath(root: "pets_1")

  private func call(_ screen: UInt64?, _ payload: [String: JSONValue], event: String = "submit") -> TreeCall {
    .delegate(root, screen: screen.map { ScreenID($0) }, event: event, payload: payload, seen: nil)
  }

  @Test("is the same for another value of a secret field, and not for one of another field")
  func secrets() {
    let fingerprint = CallFingerprint(call(1, ["name": "anna", "pin": "1234"]), secretFields: ["pin"])
    #expect(fingerprint.matches(call(1, ["name": "anna", "pin": "9999"])))
    #expect(!fingerprint.matches(call(1, ["name": "otto", "pin": "1234"])))
  }

  @Test("Rule 8: of a payload without a screen no digest of the values is stored, since short ones could be found by trying")
  func withoutScreen() throws {
    let fingerprints = (0...9).map { CallFingerprint(call(nil, ["pin": .string("\($0)")]), secretFields: []) }
    #expect(Set(try fingerprints.map { try StoredText.encode($0) }).count == 1)
    // The names count, and so does whose event it is.
    for other in [call(nil, [:]), call(nil, ["pan": "1"]), call(nil, ["pin": "1"], event: "other"), call(1, ["pin": "1"])] {
      #expect(try StoredText.encode(CallFingerprint(other, secretFields: [])) != StoredText.encode(fingerprints[1]))
    }
  }

  @Test("without a screen the values count as long as the daemon lives, and only their names after a restart")
  func afterRestart() throws {
    let fingerprint = CallFingerprint(call(nil, ["pin": "1234"]), secretFields: [])
    #expect(fingerprint.matches(call(nil, ["pin": "1234"])))
    #expect(!fingerprint.matches(call(nil, ["pin": "9999"])))
    let restored = try StoredText.decode(CallFingerprint.self, from: StoredText.encode(fingerprint))
    #expect(restored.matches(call(nil, ["pin": "1234"])))
    #expect(restored.matches(call(nil, ["pin": "9999"])))
    #expect(!restored.matches(call(nil, ["pan": "1234"])))
    #expect(!restored.matches(call(nil, ["pin": "1234"], event: "other")))
  }

  @Test("that an older version has stored is recognised, and nothing else by it")
  func older() throws {
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
