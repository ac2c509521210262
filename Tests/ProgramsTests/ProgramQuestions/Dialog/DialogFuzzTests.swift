import Forms
import Testing
@testable import ProgramQuestions

/// Random arguments, answers and messages: nothing traps, and Escape ends everything.
@Suite(.timeLimit(.minutes(1))) struct DialogFuzzTests {
  private static let words: [ProgramText] =
    DialogOption.all.map { ProgramText("--\($0.name)") }
    + [
      "--", "", "-", "-x", "0", "1", "-1", "99999999999999999999", "0x7f", "on", "off", "a", "a", "tag", "two words", "\\n",
      "\\Zb\\Z1x",
      "\\", "\\Z", "--output-fd=2", "--title=x", "--args", "--file", "options", "\u{1b}[2J", "ok", "cancel", "--nonsense", "XXX",
      ProgramText([0xff, 0xfe]), "💥", "--no-", "--no",
    ]

  private static let answers: [ProgramAnswer] =
    [.back]
    + ["ok", "yes", "no", "cancel", "extra", "help", "select", "timeout", "nonsense"].flatMap { event -> [ProgramAnswer] in
      let payloads: [[String: JSONValue]] = [
        [:], ["id": "#1"], ["id": "a"], ["ids": []], ["ids": ["tag", "a"]], ["value": "typed"], ["value": 3],
        ["ids": [1, .null]],
      ]
      return payloads.map { .event(event, payload: $0, secrets: ["value": [0x78]]) }
    }

  /// Returns an input that the step takes.
  private func input(for step: DialogStep, _ random: inout Seeded) -> DialogInput? {
    switch step {
    case .ask: Self.answers.randomElement(using: &random).map { .answer($0) }
    case .show: .shown
    case .follow: .endOfInput
    case .read, .readDescriptor:
      Bool.random(using: &random) ? .file(Array("--title \"x y\" a\\\n".utf8)) : .failure("Nothing there")
    case .end: nil
    }
  }

  @Test func `Whatever the arguments and the answers are, a call ends`() throws {
    let seed = UInt64.random(in: 0...(.max))
    var random = Seeded(state: seed)
    for _ in 0..<1_000 {
      let count = Int.random(in: 0...14, using: &random)
      let arguments = (0..<count).compactMap { _ in Self.words.randomElement(using: &random) }
      var environment: [String: ProgramText] = [:]
      for name in ["DIALOGOPTS", "DIALOG_OK", "DIALOG_ESC"] where Int.random(in: 0..<8, using: &random) == 0 {
        environment[name] = Self.words.randomElement(using: &random)
      }
      let program: DialogInvocation.Program = Bool.random(using: &random) ? .whiptail : .dialog
      let invocation = DialogInvocation(program, arguments, environment: environment)
      var inputs: [DialogInput] = []
      var step = invocation.step(after: inputs)
      while let input = input(for: step, &random) {
        if case .ask(let question) = step { #expect(question.told["title"]?.string != nil) }
        // Many answers do not fit; Escape always does.
        let isQuestion = if case .ask = step { true } else { false }
        inputs.append(isQuestion && inputs.count >= 12 ? .answer(.event("escape", payload: [:], secrets: [:])) : input)
        step = invocation.step(after: inputs)
        try #require(inputs.count < 100, "seed \(seed): \(arguments.map(\.string))")
      }
    }
  }

  @Test func `Whatever a shim sends, it is understood or an error`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = Seeded(state: seed)
    let names = ["shim", "argument", "variable", "size", "writable", "ready", "content", "failed", "input", "end", "x"]
    for _ in 0..<1_000 {
      var session = DialogSession()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let word = Self.words.randomElement(using: &random) ?? ""
        let name = names.randomElement(using: &random) ?? "x"
        let content = name == "shim" ? Array("dialog".utf8) : word.bytes
        var bytes = ShimMessage(name, content).encoded
        if Int.random(in: 0..<20, using: &random) == 0 { bytes.removeLast() }
        guard (try? session.receive(bytes)) != nil else { break }
        if session.question != nil, let answer = Self.answers.randomElement(using: &random) { _ = session.answer(answer) }
      }
    }
  }
}
