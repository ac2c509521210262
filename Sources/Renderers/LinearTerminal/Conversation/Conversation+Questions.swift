import CoordinatorBus
import CoordinatorKit
import RendererKit

/// Questions before something is sent that cannot be undone.
extension Conversation {
  /// A question that the user answers with yes or no.
  enum Question: Sendable, Hashable {
    /// Go back, which ends the flow, or may end it.
    case leaving(String)
    /// Delegate an event that its author wants to be confirmed.
    case delegation(Delegation, Confirmation)
    /// Whether a line is an answer or a command.
    case meaning(of: String, LineCommand)

    /// The lines above the prompt.
    fileprivate var lines: [String] {
      guard case .meaning(let line, let command) = self else { return [] }
      let effect =
        switch command {
        case .quit: Text("leave; also written {command}", ["command": ":\(line)"])
        default: Text("go back; also written {command}", ["command": ":\(line)"])
        }
      return [
        Text("'{line}' has two meanings here:", ["line": line]).string,
        "  1) " + Text("the answer '{line}'; also written {answer}", ["line": line, "answer": "=\(line)"]).string,
        "  2) " + effect.string,
      ]
    }

    private static func asking(_ question: String) -> String {
      // TRANSLATORS: The letters are such as "y/N".
      Text("{question} ({letters}): ", ["question": question, "letters": YesOrNo.lettersWithNo]).string
    }

    fileprivate var prompt: Prompt {
      switch self {
      case .leaving(let text): Prompt(Self.asking(text))
      case .delegation(_, let confirmation): Prompt(Self.asking(confirmation.question.printable))
      case .meaning: Prompt(Text("Which one: ").string)
      }
    }
  }

  /// Sends an event, after a question if its author wants one. A disabled action is not sent.
  mutating func delegate(
    _ event: String, _ payload: [String: JSONValue], on top: PresentedScreen
  ) -> [Effect] {
    let delegation = Delegation(
      coordinator: top.coordinator, screen: top.id, event: event, payload: payload, seen: window?.revision ?? 0)
    guard let action = top.screen.actions.first(where: { $0.id == event }) else { return send(delegation) }
    if let reason = action.disabled { return [.print([renderer.line(for: .info, reason.printable)])] + ask() }
    guard let confirmation = Confirmation(of: action) else { return send(delegation) }
    return ask(.delegation(delegation, confirmation))
  }

  /// Goes back, after a question if something is at stake.
  mutating func back(from top: PresentedScreen) -> [Effect] {
    switch window.map(LeavingStep.init(in:)) ?? .none {
    case .none: return [.print([Text("There is no way back from this screen.").string])] + ask()
    case .back:
      phase = .calling
      return [.back(screen: top.id)]
    case .mayEnd, .end: return leave(from: top, others: countsOthers ? nil : .max)
    }
  }

  /// Adopts the number of other renderers, which is nil if it is not known.
  mutating func counted(_ others: Int?) -> [Effect] {
    guard phase == .counting else { return [] }
    // Meanwhile, somebody else may have moved the flow on.
    guard let top = window?.top, top.id == shown?.id else { return show() }
    return leave(from: top, others: others ?? .max)
  }

  private mutating func leave(from top: PresentedScreen, others: Int?) -> [Effect] {
    guard let window, let text = LeavingStep(in: window).question else { return isUpToDate ? ask() : show() }
    switch LeavingStakes(in: window, isTyped: draft?.isTouched == true, others: others).decision {
    case .ask: return ask(.leaving(text))
    case .countOthers:
      phase = .counting
      return [.countOthers]
    case .goBack:
      phase = .calling
      return [.back(screen: top.id)]
    }
  }

  /// Asks a question.
  mutating func ask(_ question: Question) -> [Effect] {
    (phase, self.question) = (.askingQuestion, question)
    let lines = question.lines
    return (lines.isEmpty ? [] : [.print(lines)]) + [.prompt(question.prompt)]
  }

  /// Handles the answer to the open question.
  mutating func answerQuestion(_ line: String, on top: PresentedScreen) -> [Effect] {
    if LineCommand(bare: line) == .quit || LineCommand(marked: line) == .quit { return leave() }
    let isYes = YesOrNo.value(of: line) == true
    switch question {
    case .leaving where isYes:
      phase = .calling
      return [.back(screen: top.id)]
    case .delegation(let delegation, _) where isYes: return send(delegation)
    case .meaning(let answer, let command): return answerMeaning(line, answer, command, on: top)
    default:
      // A form that is not sent is filled in again, unless its answers were checked; what was answered is offered.
      if !isChecked { draft?.startOver() }
      return isUpToDate ? ask() : takeChanges(to: window?.top) ?? show()
    }
  }

  private mutating func answerMeaning(
    _ line: String, _ answer: String, _ command: LineCommand, on top: PresentedScreen
  ) -> [Effect] {
    // The user has not seen the changes of the screen.
    guard isUpToDate else { return takeChanges(to: window?.top) ?? show() }
    let literal = "\(LineCommand.literalMark)\(answer)"
    switch line {
    case "1", literal: return isFillable(top.screen) ? answerField(literal, on: top) : answerChoice(literal, on: top)
    case "2", answer: return perform(command, on: top)
    default: return LineCommand(marked: line).map { perform($0, on: top) } ?? ask()
    }
  }

  /// Whether the open question describes what would happen on the current screen.
  var isQuestionValid: Bool {
    guard let window, let top = window.top, top.id == shown?.id else { return false }
    return switch question {
    case .leaving(let text): LeavingStep(in: window).question == text
    case .delegation(_, let confirmation): confirmation.applies(to: top.screen)
    case .meaning: true
    case nil: false
    }
  }

  private mutating func send(_ delegation: Delegation) -> [Effect] {
    phase = .calling
    return [.delegate(delegation)]
  }
}
