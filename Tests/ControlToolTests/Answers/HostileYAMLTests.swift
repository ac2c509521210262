import CoordinatorAnswers
import Testing

@Suite("Hostile YAML", .timeLimit(.minutes(5)))
struct HostileYAMLTests {
  private func reason(_ yaml: String) -> String? {
    do {
      _ = try AnswersFile(yaml: yaml)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A byte order mark is no part of the first key")
  func byteOrderMarkIsSkipped() {
    #expect(reason("\u{FEFF}flow: a\nanswers: {}\n") == nil)
  }

  @Test("Deep nesting is refused in every style", arguments: ["[", "{a: ", "- ", "? ", "!!seq [", "&a ["])
  func deepNestingIsRefused(opening: String) {
    for count in [100, 999, 20_000] {
      #expect(reason(String(repeating: opening, count: count)) != nil)
      #expect(reason("answers: " + String(repeating: opening, count: count)) != nil)
    }
  }

  @Test("Deep nesting that is closed again is refused")
  func deepClosedNestingIsRefused() {
    for count in [900, 2000] {
      let value = String(repeating: "[", count: count) + String(repeating: "]", count: count)
      #expect(reason("answers: {a: {b: {c: \(value)}}}") != nil)
      #expect(reason("answers: {? \(value) : b}") != nil)
    }
  }

  @Test("Anchors and aliases are refused, even an exponential number of them")
  func anchorsAndAliasesAreRefused() {
    #expect(reason("answers: {a: &x {b: c}, d: *x}") == "line 1: answers: a: anchors and aliases are not supported")
    #expect(reason("answers: {a: {b: *nowhere}}") == "line 1: answers: a: b: anchors and aliases are not supported")
    var bomb = "a0: &a0 [x]\n"
    for level in 1...30 {
      bomb += "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ","))]\n"
    }
    #expect(reason(bomb) == "line 1: a0: unknown key; expected flow, input, missing or answers")
    #expect(reason(bomb + "? *a30\n: b\n") == "line 32: a key must be a string")
    #expect(reason("answers: {&k a: {b: c}}") == "line 1: answers: a key must be a string")
  }

  @Test("A file over the size limit is refused, and one below it is read")
  func oversizedFileIsRefused() {
    #expect(reason(String(repeating: "a", count: AnswersFile.longestText + 1)) == "is longer than 262144 bytes")
    let many = "answers:\n" + (0..<10_000).map { "  f\($0): {s: a}\n" }.joined()
    #expect(reason(many) == nil)
  }

  @Test("Duplicate keys, and keys that are not strings, are refused")
  func duplicateAndNonStringKeysAreRefused() {
    #expect(reason("answers: {a: {b: c, b: d}}") == "line 1: the key 'b' occurs twice")
    #expect(reason("answers: {[a]: {b: c}}") == "line 1: answers: a key must be a string")
    #expect(reason("answers: {'': {b: c}}") == "line 1: answers: a key must be a string")
  }

  @Test(
    "Invalid YAML and multiple documents are refused",
    arguments: ["a:\n\tb: c", "a: 'b", "\u{0}", "a: \u{1}", "%YAML 9.9\n---\na", "a: b\n---\nc: d", "a: [b", "]"])
  func invalidYAMLIsRefused(yaml: String) {
    #expect(reason(yaml)?.contains("is not YAML") == true)
  }

  @Test("Errors never repeat a value, which may be a misplaced secret")
  func errorsNeverRepeatValues() {
    for yaml in [
      "answers: {a: {b: {password: {plain: open-sesame}}}}", "answers: {a: {b: {password: [[open-sesame]]}}}",
      "flow: [open-sesame", "missing: open-sesame",
    ] {
      #expect(reason(yaml)?.contains("open-sesame") == false)
    }
  }
}
