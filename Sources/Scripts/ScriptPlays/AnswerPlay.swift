import ControlTool
import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import CoordinatorScripts
import DBus
import Forms
import Platform
import RendererKit

/// Plays a script to its end as an answers file says: `coordinatorctl answer` without a daemon.
package struct AnswerPlay: Sendable {
  /// How a play has ended.
  package struct Ending: Sendable {
    package let outcome: Outcome
    /// The answers that were not used.
    package let unused: [AnswerKey]
    let moves: [PlayedMove]
  }

  private let flow: String
  private let file: AnswersFile
  private let secrets: PendingSecrets
  private let say: @Sendable (String) -> Void

  /// Creates a play.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - file: the answers.
  ///   - environment: the environment of the process, which says where credentials are.
  ///   - say: receives a line about each question, step and look.
  package init(
    _ flow: String, _ file: AnswersFile, environment: [String: String], say: @escaping @Sendable (String) -> Void
  ) {
    (self.flow, self.file, self.say) = (flow, file, say)
    secrets = PendingSecrets(SecretReader(environment: environment))
  }

  /// Plays the script.
  ///
  /// - Parameters:
  ///   - stage: executes the script.
  ///   - policy: says what is done about its steps.
  ///   - input: the input of the flow.
  /// - Returns: how it has ended.
  /// - Throws: `ToolFailure`, for example with the exit code for a missing answer, or ``PlayProblem``.
  package func run(on stage: ScriptStage, _ policy: StepPolicy, input: [String: JSONValue]) async throws -> Ending {
    var runner = PlayRunner(stage, policy)
    runner.note = say
    var player = AnswerPlayer(
      file, policy: file.missing == .default ? .default : .fail, canAsk: false,
      names: FlowNames(root: flow, flows: stage.scripts.keys.sorted()), requests: "play")
    var tree = try await runner.start(flow, input: input)
    var moves: [PlayedMove] = []
    var effects = player.handle(try news(tree))
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .stop(let failure): throw failure
      case .end(_, let unused):
        guard let outcome = tree.outcome else { throw ToolFailure(["the flow has not ended"]) }
        return Ending(outcome: outcome, unused: unused, moves: moves)
      case .wait(let screen, _, _): effects += player.handle(.waitedLongEnough(screen: screen))
      case .ask: throw ToolFailure(["an answer is missing"], exit: .missingAnswer)
      case .send(let move, _):
        guard let made = try await make(move, in: tree) else { throw ToolFailure(["the flow was dismissed"], exit: .cancelled) }
        if let reasons = made.problems(on: tree.question?.screen.content) {
          effects += player.handle(.refused(.refused(.invalidPayload(message: "", reasons: reasons))))
          continue
        }
        say(made.line.printable)
        tree = try await runner.take(made.event, by: tree.flows.count - 1, in: tree, secrets: made.secrets)
        moves.append(made)
        effects += player.handle(.accepted(revision: tree.turn))
        effects += player.handle(try news(tree))
      }
    }
    throw ToolFailure(["the script waits for something that does not happen without a daemon"])
  }

  /// What the player is told of a flow that waits.
  private func news(_ tree: PlayedTree) throws -> AnswerPlayer.Input {
    if let outcome = tree.outcome { return .ended(FlowEnd(outcome)) }
    guard let (index, _, key, shown) = tree.question else {
      throw ToolFailure(["the script waits for something that does not happen without a daemon"])
    }
    let flow = tree.flows[index]
    let elements = flow.instance.path.text.bytes.split(separator: "/").map(String.init)
    let coordinator = try ObjectPath("\(Contract.flowsPath)/\(elements.joined(separator: "/"))")
    return .window(
      MirroredWindow(
        revision: tree.turn,
        screens: [
          PresentedScreen(
            id: flow.numbers[key] ?? 1, coordinator: coordinator, style: .push, layer: 0, back: shown.back,
            screen: shown.content)
        ]))
  }

  /// Returns what a move does; nil if it ends the flow.
  private func make(_ move: AnswerMove, in tree: PlayedTree) async throws -> PlayedMove? {
    guard let question = tree.question else { throw ToolFailure(["no question is open"]) }
    let kind: PlayedMove.Kind
    switch move {
    case .dismiss: return nil
    case .back: kind = .back
    case .delegate(let delegation, let references):
      var given: [String: Secret] = [:]
      for (index, reference) in references.enumerated() {
        do {
          given[reference.field.name] = Secret(copying: try await secrets.read(reference.source, for: references, at: index))
        } catch {
          throw ToolFailure(["\(question.key): \(reference.field.name): \(error.reason)"])
        }
      }
      secrets.forget()
      kind = .event(delegation.event, payload: delegation.payload, secrets: given)
    }
    return PlayedMove(place: question.place, key: question.key, shown: question.screen.comparable, kind: kind)
  }
}

extension PlayedMove {
  /// The question and its answer, for people.
  var line: String {
    let title = shown["title"]?.string ?? ""
    switch kind {
    case .back: return "\(key) \"\(title)\" ▸ Back"
    case .event(let name, let payload, let secrets):
      var values = payload
      for secret in secrets.keys { values[secret] = "•••" }
      let chosen = name == Event.select ? (payload["id"]?.string ?? payload["ids"]?.canonicalText) : nil
      let text = chosen ?? (values.isEmpty ? name : "\(name) \(JSONValue.object(values).canonicalText)")
      return "\(key) \"\(title)\" ▸ \(text)"
    }
  }

  /// What is wrong with the values of a form; nil if nothing is.
  fileprivate func problems(on screen: Screen?) -> [String: String]? {
    guard case .event(let name, var payload, let secrets) = kind, let screen, let form = screen.form,
      screen.actions.contains(where: { $0.id == name && $0.role == .primary })
    else { return nil }
    for (field, secret) in secrets { payload[field] = secret.withString { .string($0) } }
    let reasons = form.schema.check(payload)
    return reasons.isEmpty ? nil : reasons
  }
}

extension FlowEnd {
  /// The end of a flow as a client hears of it.
  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .finished(let result): .finished(result)
      case .cancelled: .cancelled
      case .failed(let failure):
        .failed(code: failure.code, message: failure.message, isTechnical: failure.isTechnical)
      }
  }
}
