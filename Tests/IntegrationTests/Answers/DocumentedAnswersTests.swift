import Foundation
import TestBus
import Testing

@Suite("The answers files in Docs/answers.md", .timeLimit(.minutes(5)))
struct DocumentedAnswersTests {
  /// The YAML blocks by the file name in their first line.
  private let files: [String: String]

  init() throws {
    let document = try String(contentsOfFile: Built.checkedOut("Docs/answers.md"), encoding: .utf8)
    var files: [String: String] = [:]
    for match in document.matches(of: /```yaml\n# ([a-z]+\.yaml)\n([^`]*)```/) {
      files[String(match.output.1)] = String(match.output.2)
    }
    self.files = files
  }

  @Test(
    "Each answers file in Docs/answers.md ends with the expected status, and all its answers are used",
    arguments: [("visit.yaml", Int32(0)), ("pets.yaml", 3), ("kanji.yaml", 3), ("account.yaml", 0)])
  func documentedFileEndsAsExpected(name: String, exit: Int32) async throws {
    let report = try await Answers().play(#require(files[name]), descriptor: "open-sesame\n", "--strict")
    #expect(report.status == .exited(exit), "\(report)")
    #expect(report.errors.isEmpty)
  }

  @Test("These tests cover every answers file in Docs/answers.md")
  func everyDocumentedFileIsTested() {
    #expect(files.keys.sorted() == ["account.yaml", "kanji.yaml", "pets.yaml", "visit.yaml"])
  }
}
