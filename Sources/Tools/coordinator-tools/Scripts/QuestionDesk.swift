import CoordinatorKit
import CoordinatorScripts
import DBus
import Forms
import LinearTerminal
import Platform
import RendererKit
import ScriptEngine

/// Answers those operations of a script that need the user, who has started the script by hand: its questions, and the secrets
/// of its steps.
struct QuestionDesk: Sendable {
  /// The reply to an operation.
  enum Reply: Sendable {
    /// The process of the operation prints this.
    case written(ProcessOutput)
    /// The process performs the step of this name, with these secrets.
    case secrets([Secret], step: String)
    /// The script ends as cancelled.
    case left
  }

  let terminal: TerminalScreen
  let reader: LineReader
  let write: @Sendable (String) -> Void

  /// Asks the user.
  ///
  /// - Parameter operation: a question, or a step with secrets.
  /// - Returns: the reply.
  /// - Throws: ``ScriptCrash`` if the operation does not need the user.
  func answer(_ operation: ScriptOperation) async throws(ScriptCrash) -> Reply {
    switch offered(operation).kind {
    case .ask(let question): return try await answer(question, operation)
    case .step(let step) where !step.secrets.isEmpty: return try await secrets(of: step, operation)
    case .step, .value, .child, .timer, .patched:
      throw ScriptCrash("nobody is asked about \(operation.name)", at: operation.place)
    }
  }

  /// Returns the operation with the rows of a question about the language.
  private func offered(_ operation: ScriptOperation) -> ScriptOperation {
    guard case .ask(let question) = operation.kind, question.languages != nil else { return operation }
    let own = Translations(
      domains: [Translations.domain], directories: Translations.usualDirectories(environment: Environment.value(of:)))
    return RendererLanguages.standard.speaking(nil) {
      operation.offeringLanguages(of: own, speaking: Translation.current?.tag)
    }
  }

  private func answer(_ question: Question, _ operation: ScriptOperation) async throws(ScriptCrash) -> Reply {
    var screen = try question.checkedScreen(operation.name, at: operation.place)
    let hidden = RendererLanguages.standard.speaking(nil) {
      screen = screen.withTranslatedDefaults
      return screen.leaveOutSecrets()
    }
    screen.limit(to: question.timeout)
    let answer: RecordedAnswer
    switch await LinearQuestion(screen, on: terminal, reader: reader, write: write).ask() {
    case .left: return .left
    case .timedOut: answer = question.fallback ?? .timeout
    case .answered(let event, let payload):
      if question.cancels.contains(where: { $0.bytes.equals(event) }) { return .left }
      answer = .event(event, payload.values.merging(screen.isSent(by: event) ? hidden(payload.values) : [:]) { $1 })
    }
    return .written(question.output(of: answer, as: operation.output ?? .value))
  }

  private func secrets(of step: StepRequest, _ operation: ScriptOperation) async throws(ScriptCrash) -> Reply {
    // A secret that the step takes twice is asked for once.
    let names = step.secrets.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let fields = names.map { Field($0, .secret(title: Text(verbatim: $0))) }
    let screen = Screen.form(
      operation.name, title: Text(verbatim: step.busy.isEmpty ? operation.name : step.busy), form: Form(fields),
      actions: [.primary("submit", "Continue")])
    guard case .answered(_, let payload) = await LinearQuestion(screen, on: terminal, reader: reader, write: write).ask() else {
      return .left
    }
    return .secrets(step.secrets.map { payload.secret($0) ?? Secret("") }, step: operation.name)
  }
}

extension Screen {
  /// Removes the secrets from a form. They would not be kept until the step that uses them, so that step asks for them itself.
  ///
  /// - Returns: a closure that returns, for the values of the form, those secrets that would be shown, as a log has them.
  fileprivate mutating func leaveOutSecrets() -> @Sendable ([String: JSONValue]) -> [String: JSONValue] {
    guard let form, form.fields.contains(where: \.schema.isSecret) else { return { _ in [:] } }
    let secrets = form.fields.filter(\.schema.isSecret)
    messages += secrets.map { field in
      let title = field.schema.title ?? field.name
      return .info("secret", Text("{field} is asked for by the step that uses it.", ["field": title]))
    }
    self.form = Form(form.fields.filter { !$0.schema.isSecret })
    return { values in
      let shown = form.shownFields(in: values).filter(\.schema.isSecret)
      return Dictionary(uniqueKeysWithValues: shown.map { ($0.name, ["secret": true]) })
    }
  }

  /// Shows a countdown to the end of the time in which the screen can be answered.
  ///
  /// - Parameter seconds: the time from now; nil for no limit.
  fileprivate mutating func limit(to seconds: Double?) {
    guard let duration = seconds.flatMap({ ScriptOperation.Due.seconds($0).duration }) else { return }
    until = Timestamp(microseconds: Timestamp.now.microseconds + duration)
    elapses = ClockTimer.Clock.elapsed.now + duration
  }

  /// Whether an event sends the form.
  fileprivate func isSent(by event: String) -> Bool {
    form != nil && actions.contains { $0.role == .primary && $0.id.bytes.equals(event) }
  }
}
