import CoordinatorKit
import Forms
import Foundation
import ProgramQuestions

/// The answer of a trial to a screen: an event, and one text for all of its fields.
struct TrialAnswer: Decodable {
  var event: String
  var text: String?

  /// Returns the answer to a question, in the form that a renderer gives it.
  func answer(to question: ProgramQuestion) -> ProgramAnswer {
    var payload: [String: JSONValue] = [:]
    var secrets: [String: [UInt8]] = [:]
    for field in question.screen.form?.fields ?? [] where event == "okay" {
      if field.schema.isSecret {
        secrets[field.name] = Array((text ?? "").utf8)
      } else {
        payload[field.name] = .string(text ?? "")
      }
    }
    return .event(event, payload: payload, secrets: secrets)
  }
}

/// The answers of a trial, in a directory: "answers.json" by the names of screens, and "screens", to which each screen is
/// appended as a line.
struct TrialFolder {
  let path: String

  func answer(to question: ProgramQuestion) throws -> ProgramAnswer {
    let name = question.screen.name
    if let screens = FileHandle(forWritingAtPath: path + "/screens") {
      screens.seekToEndOfFile()
      screens.write(Data((try JSONValue.object(question.screen.json).canonicalText + "\n").utf8))
    }
    let data = try Data(contentsOf: URL(filePath: path + "/answers.json"))
    let answers = try JSONDecoder().decode([String: TrialAnswer].self, from: data)
    return (answers[name] ?? TrialAnswer(event: "cancel")).answer(to: question)
  }
}
