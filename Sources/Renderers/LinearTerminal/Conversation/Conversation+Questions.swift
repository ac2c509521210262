import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// Asks for confirmation before something is sent that cannot be undone.
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

  /// Sends an event, after a question if its author requires one. A disabled action is not sent.
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

  /// Goes back, after a question if input or the flow would be lost.
  mutating func back(from top: PresentedScreen) -> [Effect] {
    switch window.map(LeavingStep.init(in:)) ?? .none {
    case .none: return [.print([Text("There is no way back from this screen.").string])] + ask()
    case .back:
      phase = .calling
      return [.back(screen: top.id)]
    case .mayEnd, .end: return leave(from: top, others: countsOthers ? nil : .max)
    }
  }

  /// Adopts the number of other renderers; nil if unknown.
  mutating func counted(_ others: Int?) -> [Effect] {
    guard phase == .counting else { return [] }
    // Meanwhile, another user may have continued the flow.
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
      // A form that is not sent is filled in again, unless its answers were checked; its previous answers are offered.
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

/// Handles commands, which are accepted at every prompt except that of a secret.
extension Conversation {
  /// Handles a command; returns nil if the line is not one.
  ///
  /// - Parameters:
  ///   - line: line that was typed, without white space around it.
  ///   - isAnswer: whether the line, without the mark of a command, would also be an answer. In that case, a user is asked
  ///     which one is meant; over a pipe, the line is a command.
  ///   - top: screen on top.
  /// - Returns: the effects, or nil.
  mutating func command(_ line: String, isAnswer: @autoclosure () -> Bool, on top: PresentedScreen) -> [Effect]? {
    if let command = LineCommand(marked: line) { return perform(command, on: top) }
    guard let command = LineCommand(bare: line) else { return nil }
    // Help has no side effects, and explains how the answer is written.
    if isInteractive, command != .help, isAnswer() { return ask(.meaning(of: line, command)) }
    return perform(command, on: top)
  }

  /// Performs a command.
  mutating func perform(_ command: LineCommand, on top: PresentedScreen) -> [Effect] {
    misunderstandings = 0
    switch command {
    case .quit: return leave()
    case .help: return [.print(help)] + askAgain()
    case .back: return back(from: top)
    case .answers where isFillable(top.screen) && draft != nil: return check()
    case .answers: return [.print([Text("There are no answers to change on this screen.").string])] + ask()
    }
  }

  /// Counts a line that was not understood.
  ///
  /// - Returns: the line that explains how to get help, after two such lines in a row; otherwise nothing.
  mutating func misunderstood() -> [String] {
    misunderstandings += 1
    guard isInteractive, misunderstandings >= 2, let window else { return [] }
    misunderstandings = 0
    return [renderer.style.quiet(Self.hint(LeavingStep(in: window)))]
  }

  /// Returns the line that lists the most important commands.
  static func hint(_ step: LeavingStep) -> String {
    switch step {
    case .none: Text("q leaves, ? shows help").string
    case .back, .mayEnd: Text("b goes back, q leaves, ? shows help").string
    case .end: Text("b ends the flow, q leaves, ? shows help").string
    }
  }

  /// Opens the prompt again that was answered with a command.
  private mutating func askAgain() -> [Effect] { phase == .checking ? check() : ask() }
}

/// Filling in a form, field by field.
extension Conversation {
  /// The line that ends an answer of several lines.
  static let endOfLines = "."

  /// Asks for the current field of the draft. If the form is complete, lists the answers, or sends them.
  ///
  /// - Parameter isAgain: whether the field was asked for just before, and its answer was wrong.
  /// - Returns: the effects.
  mutating func askField(isAgain: Bool = false) -> [Effect] {
    guard let top = window?.top, let draft else { return [] }
    guard let field = draft.current else {
      if isChecked { return check() }
      guard let action = top.screen.submission else { return [] }
      return delegate(action.id, draft.payload, on: top)
    }
    phase = .askingField
    guard draft.lines.isEmpty else { return [.prompt(Prompt("> "))] }
    let choices = numberedChoices(of: field.schema)
    let extras = takeExtras()
    var lines = isAgain ? [] : self.position(of: field, isFollowed: !choices.isEmpty || !extras.isEmpty)
    lines += FieldText.help(for: field.schema).map(renderer.style.quiet)
    lines += choices + extras
    if let reason = draft.reasons[field.name] { lines.append(renderer.line(for: .error, reason.printable)) }
    if draft.isCurrentDefaultTyped { lines.append(Text("The answer in brackets was typed before, but not sent.").string) }
    let prompt = Prompt(
      fieldPrompt(for: field, offered: draft.currentDefault), isSecret: field.schema.isSecret && !draft.isRevealing)
    return (lines.isEmpty ? [] : [.print(lines)]) + [.prompt(prompt)]
  }

  /// Handles a line at the prompt for a field.
  mutating func answerField(_ line: String, on top: PresentedScreen) -> [Effect] {
    guard var draft, let field = draft.current else { return [] }
    var text = line
    var isLiteral = false
    let isFirst = draft.lines.isEmpty
    // A secret may be any text, so it is never interpreted as a command. Neither are further lines of a text.
    if !field.schema.isSecret, isFirst {
      let trimmed = line.trimmed
      if let effects = command(trimmed, isAnswer: Self.isAnswer(trimmed, to: field), on: top) { return effects }
      if let id = line.bytes.dropping(prefix: Self.actionMark) { return alternative(id.trimmed, on: top) }
      let literal = line.bytes.dropping(prefix: LineCommand.literalMark).map(String.init)
      isLiteral = literal != nil
      text = literal ?? (FieldText.hasLines(field.schema) ? line : trimmed)
    }
    if line.isEmpty, canReveal(field), !draft.isRevealing {
      draft.isRevealing = true
      self.draft = draft
      return askField(isAgain: true)
    }
    if FieldText.hasLines(field.schema), !field.schema.isSecret {
      let isEnd = line == Self.endOfLines || line.isEmpty && (isFirst || FieldText.entrySchema(of: field.schema) != nil)
      guard isEnd else {
        draft.add(text)
        self.draft = draft
        return askField()
      }
      text = draft.takeLines()
    }
    switch FieldAnswer(text, for: field, offered: line.isEmpty && isFirst ? draft.currentDefault : nil, isLiteral: isLiteral) {
    case .value(let value): draft.answer(value)
    case .leftOut: draft.answer(nil)
    case .wrong(let reason):
      self.draft = draft
      return complain(about: field, reason.printable)
    }
    misunderstandings = 0
    self.draft = draft
    let isSent = draft.current == nil && !isChecked
    return (isSent || !isInteractive ? [] : [.saveDraft(screen: top.id, draft.unsent)]) + askField()
  }

  /// Prints why an answer is wrong, and asks again. The prompt of a secret accepts no command, so after a second wrong answer
  /// the answers are listed, where all commands are accepted.
  private mutating func complain(about field: Field, _ reason: String) -> [Effect] {
    let hint = misunderstood()
    let lines = [renderer.line(for: .error, reason)] + hint
    return [.print(lines)] + (field.schema.isSecret && !hint.isEmpty ? check() : askField(isAgain: true))
  }

  /// Returns whether a line is a valid answer to a field.
  private static func isAnswer(_ line: String, to field: Field) -> Bool {
    if case .value = FieldAnswer(line, for: field, offered: nil) { true } else { false }
  }

  /// Returns whether an empty line shows a secret while it is typed, because an empty line is not an answer.
  private func canReveal(_ field: Field) -> Bool {
    isInteractive && field.schema.isSecret && field.schema.isRevealable && field.isRequiredIfShown
  }

  /// Returns the line with the position of the field in the form, and with its title if other lines follow before the prompt.
  /// Empty for a single field whose prompt follows directly.
  private func position(of field: Field, isFollowed: Bool) -> [String] {
    let title = FieldText.title(of: field)
    guard let position = draft?.position else { return isFollowed ? [title] : [] }
    let place = Text("Field {number} of {count}", ["number": position.number, "count": position.count]).string
    return [isFollowed ? Text("{label}: {text}", ["label": place, "text": title]).string : place]
  }

  private func fieldPrompt(for field: Field, offered: JSONValue?) -> String {
    let title = FieldText.title(of: field)
    var parts = [title]
    switch field.schema.rule {
    case .boolean: parts.append("(\(YesOrNo.letters))")
    case _ where field.schema.isSecret:
      if canReveal(field), draft?.isRevealing != true { parts.append(Text("(an empty line shows what is typed)").string) }
    case _ where FieldText.entrySchema(of: field.schema) != nil: parts.append(Text("(an empty line ends)").string)
    case _ where FieldText.hasLines(field.schema): parts.append(Text("(a line with only a dot ends)").string)
    case .list: parts.append(Text("(separated by commas)").string)
    default: break
    }
    if let offered {
      parts.append("[\(FieldText.text(of: offered, in: field.schema))]")
    } else if !field.isRequiredIfShown {
      parts.append(Text("(optional)").string)
    }
    return Text("{question}: ", ["question": parts.joined(separator: " ")]).string
  }

  private func numberedChoices(of schema: Schema) -> [String] {
    switch schema.rule {
    case .choice(let choices):
      choices.enumerated().map { index, choice in
        let summary = FieldText.summary(of: choice).map { renderer.style.quiet(" \(renderer.dash) \($0)") } ?? ""
        return "  \(index + 1)) \(FieldText.title(of: choice))\(summary)"
      }
    case .list(let rule): numberedChoices(of: rule.items)
    default: []
    }
  }
}

/// A prompt for a line of input.
public struct Prompt: Sendable, Hashable {
  /// The text before the answer.
  public var text: String
  /// Whether the answer must not be echoed.
  public var isSecret: Bool

  /// Creates a prompt.
  public init(_ text: String, isSecret: Bool = false) {
    self.text = text
    self.isSecret = isSecret
  }
}
