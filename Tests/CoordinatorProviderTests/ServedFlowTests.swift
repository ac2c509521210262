import CoordinatorKit
import DBus
import Flows
import Testing

@testable import CoordinatorDaemon
@testable import CoordinatorProvider

@Suite("What a Swift provider answers", .timeLimit(.minutes(5)))
struct ServedFlowTests {
  private func question(
    _ event: FlowQuestion.Event, _ flow: String, state: String = "", screens: [String] = [], turn: UInt64 = 1
  ) -> FlowQuestion {
    var context = FlowQuestion.Context(input: [:], now: 0)
    context.screens = screens
    context.lastScreen = UInt64(screens.count)
    return FlowQuestion(
      event, of: FlowInstance(CoordinatorPath(root: "flow_1"), of: flow, startedAt: 1), turn: turn, state: state, in: context)
  }

  /// A decision without its screens, and these.
  private func decided(_ answer: FlowAnswer) throws -> (FlowDecision, [String: Screen]) {
    guard case .decided(var decision) = answer else { throw ProviderTrouble.failed("\(answer)") }
    let screens = decision.screens.mapValues(\.content)
    decision.screens = [:]
    return (decision, screens)
  }

  @Test("What names no language in a question is none: it would reach the environment of programs")
  func languageIsChecked() throws {
    for (sent, wanted) in [("de-AT", "de-AT"), ("../../tmp/evil", nil), ("$(id)", nil)] as [(String, String?)] {
      var context = FlowQuestion.Context(input: [:], now: 0)
      context.language = sent
      let asked = FlowQuestion(
        .start, of: FlowInstance(CoordinatorPath(root: "flow_1"), of: "pets", startedAt: 1), turn: 1, state: "", in: context)
      #expect(try FlowQuestion(asked.arguments(deadline: .seconds(1))).context.language == wanted)
    }
  }

  @Test("A question that is asked again has the same answer, also in another process")
  func askedAgain() async throws {
    let server = FlowServer(try .builtIn())
    let (start, shown) = try decided(await server.decide(question(.start, "schedule-visit")))
    #expect(start.operations == [.present(key: "1", as: nil, animated: true)])
    #expect(shown["1"]?.name == "select-visit-type")
    let event = FlowQuestion.Event.event(name: "sick", key: "1", payload: [:], secrets: [])
    let asked = question(event, "schedule-visit", state: start.state, screens: ["1"], turn: 2)
    let (first, screens) = try decided(await server.decide(asked))
    #expect(screens.keys.sorted() == ["2"])
    let (again, _) = try decided(await server.decide(asked))
    #expect(again == first)
    // Of what a process has not said itself it does not know that the daemon has it.
    let (other, all) = try decided(await FlowServer(try .builtIn()).decide(asked))
    #expect(other == first && all.keys.sorted() == ["1", "2"])
  }

  @Test("What a handler throws is an answer: a refusal, an event that is not taken, a failure")
  func thrown() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Sampler() }
    try catalogue.add { Part() }
    let server = FlowServer(catalogue)
    let (start, _) = try decided(await server.decide(question(.start, "sampler")))
    for (name, expected) in [
      ("use", "Denied"), ("nothing", "UnknownEvent"), ("fail", "Failed"), ("mishap", "Failed"), ("wrong-route", "Failed"),
    ] {
      let asked = question(
        .event(name: name, key: "1", payload: [:], secrets: []), "sampler", state: start.state, screens: ["1"])
      guard case .failure(let error) = await server.decide(asked).reply else {
        Issue.record("\(name) was decided")
        continue
      }
      #expect(error.name.hasSuffix(".\(expected)"))
    }
  }

  @Test("A state that an older version has written is migrated, and one of a newer version is refused")
  func migrated() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Sampler() }
    let server = FlowServer(catalogue)
    let old = #"1:{"n":7,"s":{"events":["one"]},"r":[{"n":1,"r":{"menu":{}}}]}"#
    let (decision, screens) = try decided(
      await server.decide(question(.migrate(from: 1), "sampler", state: old, screens: ["1"])))
    #expect(decision.operations.isEmpty && decision.state.hasPrefix("2:"))
    #expect(screens["1"]?.body.hasPrefix("log one migrated;") == true)
    let event = FlowQuestion.Event.event(name: "note", key: "1", payload: [:], secrets: [])
    let (next, _) = try decided(
      await server.decide(question(event, "sampler", state: decision.state, screens: ["1"], turn: 2)))
    #expect(next.operations == [.present(key: "2", as: nil, animated: true)])
    let newer = old.replacing("1:{", with: "3:{", maxReplacements: 1)
    guard case .trouble = await server.decide(question(event, "sampler", state: newer, screens: ["1"])) else {
      Issue.record("a newer version was taken")
      return
    }
  }

  @Test("Screens are described anew in the language of the question")
  func language() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Sampler() }
    catalogue.translations = Translations([try LanguageTag("de"): [MessageCatalogue(["Menu": "Auswahl"])]])
    let server = FlowServer(catalogue)
    let (start, english) = try decided(await server.decide(question(.start, "sampler")))
    #expect(english["1"]?.title == "Menu")
    var asked = question(.language, "sampler", state: start.state, screens: ["1"], turn: 2)
    asked = FlowQuestion(
      .language, of: asked.instance, turn: 2, state: start.state,
      in: {
        var context = asked.context
        context.language = "de"
        return context
      }())
    let (_, german) = try decided(await server.decide(asked))
    #expect(german["1"]?.title == "Auswahl")
  }
}
