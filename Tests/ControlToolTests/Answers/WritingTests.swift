import CoordinatorAnswers
import Testing

@Suite("Writing answers files", .timeLimit(.minutes(5)))
struct WritingTests {
  @Test("An answers file is written the way a person would write it")
  func writtenFileIsReadable() throws {
    let file = AnswersFile(
      flow: "account", input: ["age": .text("3")],
      flows: [
        .init(
          "account",
          [
            [
              .init(
                "log-in",
                [.values(["username": .text("demo"), "password": .reference(.credential("log-in.password"))])]),
              .init("user-profile", [.action("log-out"), .action("done")], note: "look\nhere"),
            ]
          ]),
        .init("kanji-list", [[.init("kanji-list", [.values(["select": .text("水")])])], [.init("kanji-list", [.back])]]),
      ])
    let yaml = file.yaml(heading: ["Recorded"])
    #expect(
      yaml == """
        # Recorded
        flow: account
        input:
          age: "3"
        answers:
          account:
            log-in:
              password: { credential: "log-in.password" }
              username: demo
            user-profile:  # look here
              - log-out
              - done
          kanji-list:
            - kanji-list: { select: 水 }
            - kanji-list: { back: true }

        """)
    var read = try AnswersFile(yaml: yaml)
    read.flows[0].coordinators[0][1].note = "look\nhere"
    #expect(read == file)
  }

  @Test(
    "Empty lists and mappings stay as they are when a file is read and written again",
    arguments: [
      "f: []", "f: {}", "f: [{}]", "f: [{}, {}]", "f: { s: [] }", "f: [{ s: [] }]", "f: { s: [{}] }", "f: { s: { v: [] } }",
    ])
  func emptyValuesAreKept(flow: String) throws {
    guard let file = try? AnswersFile(yaml: "answers: { \(flow) }\n") else { return }
    #expect(try AnswersFile(yaml: file.yaml()).yaml() == file.yaml())
  }

  @Test(
    "A written answers file is read back unchanged, whatever strings are in it",
    arguments: [
      "no", "~", "", "true", "a: b", "- a", "#x", "a #b", "'", "\"", "\\", "line\nbreak", "tab\t", "\u{1}", "\u{7F}", "\u{85}",
      "\u{2028}", "a\u{FEFF}", "\u{1F600}", "*a", "&a", "!a", "%a", "@a", "`a", " a ", "水", "e\u{301}", "<<", "=", "a/b", "\r\n",
    ])
  func writtenFileIsReadBackUnchanged(text: String) throws {
    var flow = AnswersFile.Flow(
      text.isEmpty ? "x" : text,
      [
        [
          .init(text.isEmpty ? "x" : text, [.action(text)]),
          .init("a", [.values(["b": .text(text), "c": .list([text, text])])]),
          .init("r", [.repeated(.values(["b": .text(text)]))]),
        ]
      ])
    flow.coordinators[0].append(.init("d", [.values(["select": .text(text)]), .unknown, .back, .dismiss]))
    let file = AnswersFile(flow: text.isEmpty ? nil : text, input: ["k": .text(text)], flows: [flow])
    #expect(try AnswersFile(yaml: file.yaml(heading: [text])) == file)
  }
}
