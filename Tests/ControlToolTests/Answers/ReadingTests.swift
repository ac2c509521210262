import CoordinatorAnswers
import Platform
import TestBus
import Testing

@Suite("Reading answers files", .timeLimit(.minutes(5)))
struct ReadingTests {
  @Test("Every element of an answers file is read")
  func everyElementOfAFileIsRead() throws {
    let file = try AnswersFile(
      yaml: """
        flow: pets
        missing: ask
        input:
          age: 3
          tags: [a, b]
        answers:
          pets:
            home: [schedule-visit, schedule-visit, { dismiss: true }]
          pets/schedule-visit:
            - select-visit-type: sick
              select-pain-level: { back: true }
            - select-visit-type: ~
          account:
            log-in:
              username: demo
              note:
              password: { credential: account-password }
              pin: { fd: 3 }
              key: { file: /etc/key }
          shop-main:
            products: { select: lamp }
            product: { repeat: add-to-basket }
        """)
    #expect(file.flow == "pets")
    #expect(file.missing == .ask)
    #expect(file.input == ["age": .text("3"), "tags": .list(["a", "b"])])
    let flows = file.flows
    #expect(flows.map(\.name) == ["pets", "pets/schedule-visit", "account", "shop-main"])
    #expect(
      flows[0].coordinators == [
        [.init("home", [.action("schedule-visit"), .action("schedule-visit"), .dismiss])]
      ])
    #expect(flows[1].isList)
    #expect(
      flows[1].coordinators == [
        [.init("select-visit-type", [.action("sick")]), .init("select-pain-level", [.back])],
        [.init("select-visit-type", [.unknown])],
      ])
    #expect(
      flows[2].coordinators[0][0].answers == [
        .values([
          "username": .text("demo"), "note": .nothing, "password": .reference(.credential("account-password")),
          "pin": .reference(.descriptor(3)), "key": .reference(.file("/etc/key")),
        ])
      ])
    #expect(
      flows[3].coordinators[0].flatMap(\.answers) == [.values(["select": .text("lamp")]), .repeated(.action("add-to-basket"))])
  }

  @Test(
    "A plain scalar stays a string, whatever YAML 1.1 makes of it",
    arguments: ["no", "on", "y", "1e3", "0x10", "012", "nULL", "1:30", "2026-01-01", "true"])
  func plainScalarsStayStrings(text: String) throws {
    let file = try AnswersFile(yaml: "answers: {\(text): {\(text): \(text)}}")
    #expect(file.flows == [.init(text, [[.init(text, [.action(text)])]])])
  }

  @Test("A plain null of YAML is no value, however it is written", arguments: ["", "~", "null", "Null", "NULL"])
  func nullsAreNoValues(null: String) throws {
    let file = try AnswersFile(yaml: "input: {a: \(null)}\nanswers:\n  f:\n    s: {a: \(null)}\n    t: \(null)")
    #expect(file.input == ["a": .nothing])
    #expect(file.flows.first?.coordinators.first?.map(\.answers) == [[.values(["a": .nothing])], [.unknown]])
  }

  @Test("A quoted tilde, null or true is a string, and null can be a name")
  func quotedScalarsStayStrings() throws {
    let file = try AnswersFile(yaml: "answers: {f: {s: {a: '~', null: 'null', b: \"\"}, t: {back: 'true'}}}")
    let screens = file.flows.first?.coordinators.first ?? []
    #expect(
      screens.map(\.answers) == [
        [.values(["a": .text("~"), "null": .text("null"), "b": .text("")])], [.values(["back": .text("true")])],
      ])
  }

  @Test(
    "A mistake is reported with its line and its keys",
    arguments: [
      ("answers:\n  pets:\n    home: [[a]]", "line 3: answers: pets: home: #1: must be an answer, not a list"),
      ("answers:\n  pets: go", "line 2: answers: pets: must be a mapping from screen to answer, or a list of them"),
      ("answer: {}", "line 1: answer: unknown key; expected flow, input, missing or answers"),
      ("missing: never", "line 1: missing: must be fail, default or ask"),
      ("flow: [a]", "line 1: flow: must be the name of a flow"),
      ("- a", "line 1: must be a mapping with the key 'answers'"),
      ("input: {pin: {fd: 3}}", "line 1: input: pin: must be a value: input cannot be a secret"),
      (
        "answers: {a: {b: {c: {env: HOME}}}}",
        "line 1: answers: a: b: c: must be a value, or one of { fd: N }, { credential: NAME }, { file: PATH }"
      ),
      ("answers: {a: {b: {c: {fd: -1}}}}", "line 1: answers: a: b: c: fd: must be the number of an open file descriptor"),
      (
        "answers: {a: {b: {c: {credential: ../x}}}}",
        "line 1: answers: a: b: c: credential: must be the name of a credential, not a path"
      ),
      ("answers: {a: {b: [c, {repeat: d}]}}", "line 1: answers: a: b: #2: 'repeat' must be the only answer to its screen"),
      ("answers: {a: {b: {repeat: ~}}}", "line 1: answers: a: b: repeat: must be an answer"),
      ("", "is empty"),
    ])
  func mistakeIsNamedWithLineAndKeys(yaml: String, message: String) {
    #expect(throws: AnswersError.self) { try AnswersFile(yaml: yaml) }
    do { _ = try AnswersFile(yaml: yaml) } catch { #expect(error.description == message) }
  }

  @Test(
    "The name of a credential has no slash, whatever mark follows it",
    arguments: HostileText.extenders.flatMap { ["../\($0)x", "/\($0)", "a/\($0)b"] } + ["..", ".", "a/b"])
  func credentialIsNoPath(name: String) throws {
    var error: AnswersError?
    do throws(AnswersError) {
      _ = try AnswersFile(yaml: "answers: {a: {b: {c: {credential: \(YAMLText.scalar(name))}}}}")
    } catch let refusal { error = refusal }
    #expect(
      error?.description == "line 1: answers: a: b: c: credential: must be the name of a credential, not a path")
  }
}
