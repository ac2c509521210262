import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("Answers to fields that are shown at times", .timeLimit(.minutes(5)))
struct HiddenFieldTests {
  private func move(_ values: [String: AnswerValue], fillsIn: Bool = false) throws -> AnswerMove {
    try AnswerReading(screen: Samples.presented(Samples.network), revision: 1, fillsIn: fillsIn).move(.values(values))
  }

  private func payload(_ move: AnswerMove) -> [String: JSONValue]? {
    if case .delegate(let delegation, _) = move { delegation.payload } else { nil }
  }

  @Test("An answers file need not answer a field that is not shown, and its secret is not read")
  func hiddenFieldNeedsNoAnswer() throws {
    #expect(payload(try move(["security": .text("open")])) == ["security": "open"])
    let open = try move(["security": .text("open"), "passphrase": .reference(.descriptor(3))])
    guard case .delegate(let delegation, let references) = open else {
      Issue.record("\(open)")
      return
    }
    #expect(delegation.payload == ["security": "open"])
    #expect(references.isEmpty)
  }

  @Test("An answers file must answer a field while it is shown")
  func shownFieldNeedsAnAnswer() throws {
    #expect(throws: AnswerProblem.missing(fields: ["passphrase"])) { try move(["security": .text("wpa")]) }
    #expect(throws: AnswerProblem.missing(fields: ["security"])) { try move(["cache": .text("8")]) }
    guard case .delegate(_, let references) = try move(["security": .text("wpa"), "passphrase": .reference(.descriptor(3))])
    else { return }
    #expect(references.map(\.field.name) == ["passphrase"])
  }

  @Test("The entries of a list are given as text, one for each entry")
  func entriesAreGivenAsText() throws {
    let hosts = AnswerValue.list(["ip=192.0.2.1 name=a", "{\"ip\": \"::1\"}"])
    #expect(
      payload(try move(["security": .text("open"), "hosts": hosts]))
        == ["security": "open", "hosts": [["ip": "192.0.2.1", "name": "a"], ["ip": "::1"]]])
  }

  @Test("The offer of a screen says when a field is shown, and how entries are written")
  func offerNamesConditions() {
    let lines = AnswerOffer(Samples.presented(Samples.network)).lines
    #expect(lines.contains("  passphrase: { fd: 3 }, { credential: NAME } or { file: PATH }   # only if Security is WPA"))
    #expect(lines.contains("  hosts: 'ip=TEXT name=TEXT'...   # optional"))
  }

  @Test("The recorder records no secret of a field that was not shown")
  func hiddenSecretIsNotRecorded() {
    for (security, credentials) in [("open", []), ("wpa", ["network.passphrase"])] {
      var recorder = Recorder()
      recorder.take(.event(.window(Samples.window(1, Samples.presented(Samples.network)))))
      let payload: [String: JSONValue] = ["security": .string(security), "hosts": [["ip": "::1"]]]
      recorder.take(
        .answered(Delegation(coordinator: Samples.root, screen: 1, event: "connect", payload: payload, seen: 1)))
      #expect(recorder.credentials == credentials)
      guard case .values(let values)? = recorder.steps.first?.answer else { continue }
      #expect(values["hosts"] == .list(["{\"ip\":\"::1\"}"]))
    }
  }

  @Test("The JSON of a screen has the time at which it continues by itself, and whether Back ends the flow")
  func jsonHasTheCountdown() {
    var presented = Samples.presented(Samples.note)
    presented.screen.until = Timestamp(microseconds: 13_000_000)
    presented.leaves = true
    let json = JSONValue(presented).object
    #expect(json?["until"] == 13_000_000)
    #expect(json?["leaves"] == true)
    #expect(JSONValue(Samples.presented(Samples.note)).object?["until"] == nil)
  }
}
