import Forms
import Foundation
import ProgramQuestions

/// What a trial answers to debconf's questions.
struct TrialScript: Decodable {
  /// The values of a field in the order of its questions; the last one counts for all later ones. "<back>" goes back.
  var answers: [String: [String]]?
  /// What answers the fields that are not there: "initial" (what the screen proposes), or "fail".
  var otherwise: String?
  /// A file of `debconf-set-selections` that is asked first.
  var selections: String?
  /// Whether to cancel what takes time as soon as that is offered.
  var cancelsProgress: Bool?

  static let back = "<back>"

  static func read(_ path: String) throws -> TrialScript {
    try JSONDecoder().decode(TrialScript.self, from: Data(contentsOf: URL(filePath: path)))
  }
}

/// The answers of a script, as they are used up.
struct TrialAnswers {
  private let script: TrialScript
  private var selections: DebconfSelections?
  private var uses: [String: Int] = [:]

  init(_ script: TrialScript) throws {
    self.script = script
    selections = try script.selections.map { DebconfSelections(try String(contentsOfFile: $0, encoding: .utf8)) }
  }

  /// Returns the answer to a block.
  mutating func answer(to block: DebconfBlock) throws -> ProgramAnswer {
    if var selections, let answer = try? selections.answer(for: block) {
      self.selections = selections
      return answer
    }
    var values: [String: String] = [:]
    for question in block.questions {
      guard let list = script.answers?[question.field], let last = list.last else { continue }
      let use = uses[question.field, default: 0]
      uses[question.field] = use + 1
      let value = use < list.count ? list[use] : last
      if value == TrialScript.back { return .back }
      values[question.field] = value
    }
    return try block.answer { values[$0.field] ?? (script.otherwise == "fail" ? nil : block.proposedValue(of: $0)) }
  }
}

extension DebconfBlock {
  /// Returns what a user sends who changes nothing: read from the screen, as a renderer does.
  fileprivate func proposedValue(of question: DebconfQuestion) -> String {
    let screen = self.question.screen
    switch screen["kind"]?.string {
    case "menu":
      let primary = screen["actions"]?.array?.first { $0["role"]?.string == "primary" }?["id"]?.string
      return primary == "yes" ? "true" : "false"
    case "list":
      let initial = screen["choosing"]?["initial"]?.array?.compactMap(\.string) ?? []
      if question.type == .multiselect { return initial.joined(separator: ", ") }
      return initial.first ?? screen["items"]?[0]?["id"]?.string ?? ""
    default:
      switch screen["values"]?[question.field] {
      case .string(let text)?: return text
      case .boolean(let value)?: return value ? "true" : "false"
      case .array(let values)?: return values.compactMap(\.string).joined(separator: ", ")
      default: return question.type == .select ? question.choices.first ?? "" : ""
      }
    }
  }
}
