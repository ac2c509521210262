import CoordinatorKit
import Forms
import Foundation
import ProgramQuestions

/// The answers of a trial to debconf's questions.
struct TrialScript: Decodable {
  /// The values of a field in the order of its questions; the last one counts for all later ones. "<back>" goes back.
  var answers: [String: [String]]?
  /// The answer to fields that are not listed: "initial" (the proposal of the screen), "other" (any other value, twice), or
  /// "fail".
  var otherwise: String?
  /// A file of `debconf-set-selections` whose answers take precedence.
  var selections: String?
  /// Whether to cancel long work as soon as the screen offers it.
  var cancelsProgress: Bool?

  static let back = "<back>"

  static func read(_ path: String) throws -> TrialScript {
    try JSONDecoder().decode(TrialScript.self, from: Data(contentsOf: URL(filePath: path)))
  }
}

/// The remaining answers of a script.
struct TrialAnswers {
  private let script: TrialScript
  private var selections: DebconfSelections?
  private var uses: [String: Int] = [:]
  /// The values of the last answer, without passwords.
  private(set) var given: [String: String] = [:]

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
    for question in block.questions where !question.type.isShownOnly {
      let use = uses[question.field, default: 0]
      uses[question.field] = use + 1
      if let list = script.answers?[question.field], let last = list.last {
        values[question.field] = use < list.count ? list[use] : last
        if values[question.field] == TrialScript.back { return .back }
      } else if script.otherwise == "other", use < 2 {
        values[question.field] = block.otherValue(of: question)
      } else if script.otherwise != "fail" {
        values[question.field] = block.proposedValue(of: question)
      }
    }
    given = values.filter { field, _ in block.questions.contains { $0.field == field && $0.type != .password } }
    return try block.answer { values[$0.field] }
  }
}

extension DebconfBlock {
  /// Returns a value that is not the proposed one, if there is another.
  fileprivate func otherValue(of question: DebconfQuestion) -> String {
    let proposed = proposedValue(of: question)
    let screen = self.question.screen
    let rows = screen.items?.filter { $0.disabled == nil }.map(\.id)
    let choices = rows ?? screen.form?.fields.first { $0.name == question.field }?.schema.rule.choices ?? []
    switch question.type {
    case .boolean: return proposed == "true" ? "false" : "true"
    case .select: return choices.last { $0 != proposed } ?? proposed
    case .multiselect: return choices.suffix(3).joined(separator: ", ")
    case .password: return "pässword 1"
    default: return proposed.isEmpty ? "x" : proposed
    }
  }

  /// Returns the values that a user sends without changes: read from the screen, as a renderer does.
  fileprivate func proposedValue(of question: DebconfQuestion) -> String {
    let screen = self.question.screen
    switch screen.kind {
    case .menu: return screen.defaultChoice == "yes" ? "true" : "false"
    case .list:
      let initial = screen.choosing?.initial ?? []
      if question.type == .multiselect { return initial.joined(separator: ", ") }
      return initial.first ?? screen.items?.first?.id ?? ""
    default:
      switch screen.values[question.field] {
      case .string(let text)?: return text
      case .boolean(let value)?: return value ? "true" : "false"
      case .array(let values)?: return values.compactMap(\.string).joined(separator: ", ")
      default: return question.type == .select ? question.choices.first ?? "" : ""
      }
    }
  }
}

extension Schema.Rule {
  /// The texts to choose from.
  fileprivate var choices: [String]? {
    switch self {
    case .choice(let choices): choices.compactMap(\.value.string)
    case .list(let list): list.items.rule.choices
    default: nil
    }
  }
}
