import CoordinatorAnswers
import Foundation
import RendererKit
import Testing

@testable import ControlTool

@Suite("The file that answers a program", .timeLimit(.minutes(1)))
struct ProgramAnswersTests {
  private func answers(_ text: String) throws -> ProgramAnswers {
    let path = NSTemporaryDirectory() + "/answers-\(UInt64.random(in: 0 ... .max))"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try ProgramAnswers(path, missing: nil)
  }

  @Test(
    "A file for debconf-set-selections is known by its first line",
    arguments: [
      ("demo demo/string string x\n", true), ("# A comment\n\ndemo\tdemo/string\tseen true\n", true),
      ("answers:\n  program:\n    demo/string: { value: x }\n", false), ("# demo demo/string string x\n", false), ("", false),
    ])
  func kinds(text: String, isForDebconf: Bool) { #expect(ProgramAnswers.isForDebconf(text) == isForDebconf) }

  @Test("A file for debconf-set-selections goes to the keeper, and leaves no screens to be answered")
  func selections() throws {
    let answers = try answers("demo demo/string string x\n")
    #expect(answers.selections != nil && answers.file.flows.isEmpty)
  }

  @Test("An answers file is read before anything is started")
  func answersFile() throws {
    let answers = try answers("answers: {program: {menu-pick: {select: a}}}\n")
    #expect(answers.selections == nil && answers.file.flows.map(\.name) == ["program"])
  }

  @Test(
    "A file that cannot be used is refused",
    arguments: [("nonsense: 1\n", "nonsense"), ("", "is empty"), ("flow: other\nanswers: {}\n", "is for 'other'")])
  func mistakes(text: String, complaint: String) throws {
    let failure = #expect(throws: ToolFailure.self) { try answers(text) }
    #expect(failure?.lines.first?.contains(complaint) == true)
  }
}
