import CoordinatorAnswers
import CoordinatorKit
import Platform
import TestBus
import Testing

/// Texts in an answers file, and the texts that libyaml and Python read from it.
@Suite("Any text in an answers file", .timeLimit(.minutes(5)))
struct HostileTextTests {
  private static func file(_ text: String) -> AnswersFile {
    let answers: [ScreenAnswer] = [.values(["field": .text(text), "list": .list([text, "b"])]), .action("okay")]
    return AnswersFile(flow: "flow", flows: [AnswersFile.Flow("flow", [[AnswersFile.Screen("screen", answers, note: text)]])])
  }

  @Test("A text is read back byte for byte, whatever it is", arguments: [UInt64.random(in: 0 ... .max)])
  func textsComeBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for text in HostileText.combinations + HostileText.random(200, using: &generator) {
      let read = try AnswersFile(yaml: Self.file(text).yaml(heading: [text]))
      guard case .values(let values)? = read.flows.first?.coordinators.first?.first?.answers.first,
        case .text(let value)? = values["field"], case .list(let list)? = values["list"]
      else {
        Issue.record("\(text.debugDescription) is read as something else, seed \(seed)")
        continue
      }
      #expect(value.bytes.equals(text) && list.count == 2 && list[0].bytes.equals(text), "seed \(seed)")
    }
  }

  @Test("A text is a scalar of YAML 1.1 that every parser reads as the same string, also as a name")
  func scalarsAreStrings() throws {
    for text in HostileText.combinations + [
      "yes", "No", "null", "~", "1e3", "0x1F", "", "2026-11-26", "=", "<<", "y\u{301}", "a: b", "#a",
    ] {
      let scalar = YAMLText.scalar(text)
      #expect(!scalar.utf8.contains(UInt8(ascii: "\n")))
      let yaml = "flow: f\nanswers:\n  f:\n    s: { field: \(scalar) }\n"
      guard case .values(let values)? = try AnswersFile(yaml: yaml).flows.first?.coordinators.first?.first?.answers.first,
        case .text(let value)? = values["field"]
      else {
        Issue.record("\(text.debugDescription) is no text")
        continue
      }
      #expect(value.bytes.equals(text))
      #expect(!YAMLText.comment(text).utf8.contains(UInt8(ascii: "\n")))
    }
  }
}
