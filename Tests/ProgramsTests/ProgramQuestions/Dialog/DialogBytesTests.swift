import Forms
import Platform
import TestBus
import Testing
@testable import ProgramQuestions

/// Answers from strangers, and the words that the asking script reads.
@Suite("What dialog prints of hostile answers", .timeLimit(.minutes(5))) struct DialogBytesTests {
  private func printed(_ arguments: [ProgramText], _ answer: ProgramAnswer) -> [UInt8]? {
    guard case .end(let result) = DialogInvocation(.dialog, arguments).step(after: [.answer(answer)]) else { return nil }
    return result.outputs.count == 1 ? result.outputs.first?.bytes : nil
  }

  private func typed(_ payload: [String: JSONValue] = [:], secrets: [String: String] = [:]) -> ProgramAnswer {
    .event("ok", payload: payload, secrets: secrets.mapValues { Array($0.utf8) })
  }

  private func field(_ label: ProgramText, row: Int) -> [ProgramText] {
    [label, ProgramText("\(row)"), "1", "", ProgramText("\(row)"), "10", "20", "20"]
  }

  @Test(
    "A secret of a form of dialog has one line, whatever is typed into it",
    arguments: ["p\nw", "p\r\nw", "p\rw", "p\0w", "p\n\u{301}w", "p\r\u{FE0F}w", "\np\0\n\r\nw\r"])
  func secretHasOneLine(secret: String) {
    let expected = Array(secret.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }) + Array("\nroot\n".utf8)
    let mixed: [ProgramText] =
      ["--insecure", "--mixedform", "Log in", "0", "0", "0"] + (field("Password", row: 1) + ["1"])
      + (field("Name", row: 2) + ["0"])
    #expect(printed(mixed, typed(["name": "root"], secrets: ["password": secret])) == expected)
    let passwords: [ProgramText] =
      ["--insecure", "--passwordform", "Log in", "0", "0", "0"] + field("Old", row: 1) + field("New", row: 2)
    #expect(printed(passwords, typed(secrets: ["old": secret, "new": "root"])) == expected)
    let one: [ProgramText] = ["--insecure", "--passwordbox", "Password", "0", "0"]
    #expect(printed(one, typed(secrets: ["value": secret])) == Array(expected.dropLast(6)))
  }

  @Test("Each of two rows with canonically equivalent tags can be chosen, and gives its own bytes")
  func equivalentRowsAreChosen() throws {
    let tags: [ProgramText] = ["e\u{301}", "\u{E9}"]
    let rows = tags.flatMap { tag -> [ProgramText] in [tag, "Delete"] }
    let menu: [ProgramText] = ["--menu", "Which?", "0", "0", "0"] + rows
    guard case .ask(let question) = DialogInvocation(.dialog, menu).step(after: []) else {
      Issue.record("nothing is asked")
      return
    }
    let ids = try #require(question.told["items"]?.array).compactMap { $0["id"]?.string }
    #expect(ids.count == 2 && Set(ids).count == 2)
    let boxes = tags.flatMap { tag -> [ProgramText] in [tag, "Delete", "off"] }
    let list: [ProgramText] = ["--separate-output", "--checklist", "Which?", "0", "0", "0"] + boxes
    for (id, tag) in zip(ids, tags) {
      #expect(printed(menu, .select(id)) == tag.bytes)
      #expect(printed(list, .select(all: [id])) == tag.bytes + [0x0A])
    }
    #expect(printed(list, .select(all: ids)) == tags[0].bytes + [0x0A] + tags[1].bytes + [0x0A])
  }

  @Test("A row is not chosen by a text that is only canonically equivalent to its tag")
  func equivalentTagChoosesNothing() {
    let menu: [ProgramText] = ["--menu", "Which?", "0", "0", "0", "caf\u{E9}", "A café", "tea", "Tea"]
    #expect(printed(menu, .select("caf\u{E9}")) == Array("caf\u{E9}".utf8))
    #expect(printed(menu, .select("cafe\u{301}")) == nil)
  }

  @Test("A value that is changed in its normalization only is printed as it was typed")
  func normalizationIsAChange() {
    for (initial, entered) in [("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"), ("\u{212A}", "K"), (";", "\u{37E}")] {
      let entry: [ProgramText] = ["--inputbox", "Name", "0", "0", ProgramText(initial)]
      #expect(printed(entry, typed(["value": .string(entered)])) == Array(entered.utf8))
      let form: [ProgramText] = [
        "--form", "Log in", "0", "0", "0", "Name", "1", "1", ProgramText(initial), "1", "10", "20", "20",
      ]
      #expect(printed(form, typed(["name": .string(entered)])) == Array(entered.utf8) + [0x0A])
    }
  }

  /// Returns the words that `sh` reads from dialog's output, as in `eval "set -- $result"` in scripts.
  private func words(_ result: [UInt8]) throws -> [[UInt8]] {
    let done = try FinishedProcess(
      "/bin/sh", ["sh", "-c", "eval \"set -- $1\"\nprintf '%s\\0' \"$@\"", "sh", String(decoding: result, as: UTF8.self)],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(done.errors.isEmpty && done.status == 0, "\(String(decoding: done.errors, as: UTF8.self))")
    return done.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }

  private func form(_ options: ProgramText...) -> [ProgramText] {
    options + ["--output-separator", " ", "--form", "Log in", "0", "0", "0"] + field("Name", row: 1) + field("Host", row: 2)
  }

  @Test(
    "What --quoted and --single-quoted print is read by sh as what was typed, and runs nothing",
    arguments: ["it's", "'; echo ran #", "a b", "$(echo ran)", "`echo ran`", "'", "''", "'\u{301}; echo ran; '\u{FE0F}", "\""])
  func singleQuotedComesBack(text: String) throws {
    let result = try #require(
      printed(form("--quoted", "--single-quoted"), typed(["name": .string(text), "host": .string(text)])))
    #expect(try words(result) == [Array(text.utf8), Array(text.utf8)])
  }

  @Test(
    "What --quoted prints is read by sh as one word for each field, and runs nothing",
    arguments: ["it's", "'; echo ran #", "a b", "$(echo ran)", "`echo ran`", "'", "''", "'\u{301}; echo ran; '\u{FE0F}", "\""])
  func quotedStaysOneWord(text: String) throws {
    let result = try #require(printed(form("--quoted"), typed(["name": .string(text), "host": .string(text)])))
    let words = try words(result)
    #expect(words.count == 2 && words.first == words.last)
    // Between quotation marks, sh keeps a backslash before an ordinary character, and dialog writes some of these.
    #expect(words.first?.filter { $0 != UInt8(ascii: "\\") } == Array(text.utf8))
    if text.utf8.allSatisfy({ !"\\[]{}?*;~#^&()|<>".utf8.contains($0) }) { #expect(words.first == Array(text.utf8)) }
  }

  @Test("Each special character with whatever mark behind it comes back from --single-quoted through sh")
  func combinationsComeBack() throws {
    // A line break ends a field, and dialog doubles a backslash even where the shell would keep it.
    let texts = HostileText.combinations.filter { text in !text.utf8.contains { "\n\r\\".utf8.contains($0) } && !text.isEmpty }
    for start in stride(from: 0, to: texts.count, by: 100) {
      let batch = texts[start..<min(start + 100, texts.count)]
      var result: [UInt8] = []
      for text in batch {
        result += try #require(
          printed(form("--quoted", "--single-quoted"), typed(["name": .string(text), "host": "x"])))
      }
      #expect(try words(result) == batch.flatMap { [Array($0.utf8), Array("x".utf8)] })
    }
  }
}
