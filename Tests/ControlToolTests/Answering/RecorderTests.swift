import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import ScreenSamples
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The recorder of answers", .timeLimit(.minutes(5)))
struct RecorderTests {
  private var recorder = Recorder()
  private var revision: UInt64 = 0

  private mutating func show(_ screen: Screen, id: UInt64) {
    revision += 1
    recorder.take(.event(.window(Samples.window(revision, Samples.presented(screen, id: id)))))
  }

  private mutating func answer(_ event: String, _ payload: [String: JSONValue] = [:], on screen: UInt64) {
    recorder.take(
      .answered(Delegation(coordinator: Samples.root, screen: screen, event: event, payload: payload, seen: revision)))
  }

  private mutating func elsewhere(_ event: String, on screen: UInt64) {
    recorder.take(.event(.answered(Answer(screen: screen, event: event, kind: "web", client: ":1.9"))))
  }

  private var yaml: String {
    recorder.file(flow: "pets", input: [:], names: FlowNames(root: "pets", flows: [])).yaml()
      .replacing("flow: pets\nanswers:\n  pets:\n", with: "")
  }

  @Test("The recorder keeps the answers without their secrets")
  mutating func recorderKeepsAnswersWithoutSecrets() {
    show(Samples.menu, id: 1)
    answer("sick", on: 1)
    show(Samples.logIn, id: 2)
    answer("submit", ["username": "me", "password": "open-sesame"], on: 2)
    show(Samples.list, id: 3)
    answer("select", ["id": "desk"], on: 3)
    show(Samples.note, id: 4)
    answer("go", on: 4)
    #expect(
      yaml == """
            select-visit-type: sick
            log-in:
              password: { credential: "log-in.password" }
              username: me
            products: { select: desk }
            home: go

        """)
    #expect(recorder.credentials == ["log-in.password"])
    #expect(!"\(recorder)".contains("open-sesame"))
  }

  @Test("The recorder names no credential that is a path, whatever mark follows a slash")
  mutating func credentialIsNoPath() throws {
    let form = Form(Field("a/\u{301}b", .secret(title: "Password")))
    show(Screen("s/\u{FE0F}x", kind: .form, title: "S", actions: [.primary("send", "Send")], form: form), id: 1)
    answer("send", ["a/\u{301}b": "open-sesame"], on: 1)
    let name = try #require(recorder.credentials.first)
    #expect(Array(name.utf8) == Array("s-\u{FE0F}x.a-\u{301}b".utf8))
    let file = recorder.file(flow: "pets", input: [:], names: FlowNames(root: "pets", flows: []))
    #expect(try AnswersFile(yaml: file.yaml()).flows == file.flows)
  }

  @Test("The recorder drops an answer that was gone back from if the screen is as it was")
  mutating func answerGoneBackFromIsDropped() {
    show(Samples.menu, id: 1)
    answer("sick", on: 1)
    show(Samples.note, id: 2)
    recorder.take(.wentBack(screen: 2))
    show(Samples.menu, id: 1)
    answer("well", on: 1)
    #expect(yaml == "    select-visit-type: well\n")
  }

  @Test("The recorder keeps a Back after which the screen is different")
  mutating func backWithAnEffectIsRecorded() {
    show(Samples.menu, id: 1)
    answer("sick", on: 1)
    show(Samples.note, id: 2)
    recorder.take(.wentBack(screen: 2))
    var changed = Samples.menu
    changed.body = "One visit is booked."
    show(changed, id: 1)
    answer("well", on: 1)
    #expect(yaml == "    select-visit-type:\n      - sick\n      - well\n    home: { back: true }\n")
  }

  @Test("The recorder keeps the Back that ended the flow")
  mutating func backThatEndsTheFlowIsRecorded() {
    show(Samples.menu, id: 1)
    recorder.take(.wentBack(screen: 1))
    recorder.take(.event(.ended(.cancelled)))
    #expect(yaml == "    select-visit-type: { back: true }\n")
    #expect(recorder.end == .cancelled)
  }

  @Test("The recorder drops answers that the screen or the daemon refused")
  mutating func refusedAnswersAreDropped() {
    show(Samples.logIn, id: 1)
    answer("submit", ["username": "wrong", "password": "a"], on: 1)
    recorder.take(.refused)
    answer("submit", ["username": "worse", "password": "a"], on: 1)
    show(Samples.busy, id: 1)
    var again = Samples.logIn
    again.messages = [ScreenMessage(.error, code: "no", text: "No.")]
    show(again, id: 1)
    answer("submit", ["username": "me", "password": "b"], on: 1)
    recorder.take(.refused)
    #expect(
      recorder.steps.map(\.answer) == [
        .values(["username": .text("worse"), "password": .reference(.credential("log-in.password"))])
      ])
    answer("submit", ["username": "me", "password": "c"], on: 1)
    #expect(yaml == "    log-in:\n      password: { credential: \"log-in.password\" }\n      username: me\n")
  }

  @Test("The recorder drops an answer that a script has refused by asking again on another screen of the same name")
  mutating func answerThatAScriptRefusesIsDropped() {
    show(Samples.logIn, id: 1)
    answer("submit", ["username": "wrong", "password": "a"], on: 1)
    var again = Samples.logIn
    again.messages = [ScreenMessage(.error, code: "no", text: "No.")]
    show(again, id: 2)
    answer("submit", ["username": "me", "password": "b"], on: 2)
    // Without an error, the same name may ask for something else.
    show(Samples.logIn, id: 3)
    answer("submit", ["username": "you", "password": "c"], on: 3)
    #expect(
      recorder.steps.map(\.answer)
        == ["me", "you"].map {
          .values(["username": .text($0), "password": .reference(.credential("log-in.password"))])
        })
  }

  @Test("The recorder keeps answers of other clients and marks what is unknown")
  mutating func answersOfOthersAreRecordedWithGaps() {
    show(Samples.menu, id: 1)
    elsewhere("sick", on: 1)
    show(Samples.logIn, id: 2)
    recorder.take(.event(.drafted(screen: 2, ["username": "me"])))
    recorder.take(.event(.drafted(screen: 2, [:])))
    elsewhere("submit", on: 2)
    show(Samples.list, id: 3)
    elsewhere("select", on: 3)
    show(Samples.note, id: 4)
    elsewhere("", on: 4)
    #expect(
      yaml == """
            select-visit-type: sick
            log-in:  # answered elsewhere: check the values
              password: { credential: "log-in.password" }
              username: me
            products: ~  # 'select' elsewhere: the chosen values are not known
            home: { back: true }

        """)
    #expect(recorder.hasGaps)
  }
}
