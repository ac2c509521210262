import ControlTool
import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import CoordinatorScripts
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
  ///   - scripts: serves the script.
  ///   - input: the input of the flow.
  /// - Returns: how it has ended.
  /// - Throws: `ToolFailure`, for example with the exit code for a missing answer, or ``PlayProblem``.
  package func run(on scripts: LocalScripts, input: [String: JSONValue]) async throws -> Ending {
    var run = try await PlayedRun.start(flow, input: input, in: scripts, note: say)
    defer { run.close() }
    var player = AnswerPlayer(
      file, policy: file.missing == .default ? .default : .fail, canAsk: false,
      names: FlowNames(root: flow, flows: scripts.scripts.keys.sorted()), requests: "play")
    var moves: [PlayedMove] = []
    var effects = player.handle(try await news(run))
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .stop(let failure): throw failure
      case .end(_, let unused):
        guard let outcome = run.outcome else { throw ToolFailure(["the flow has not ended"]) }
        return Ending(outcome: outcome, unused: unused, moves: moves)
      case .wait(let screen, _, _): effects += player.handle(.waitedLongEnough(screen: screen))
      case .ask: throw ToolFailure(["an answer is missing"], exit: .missingAnswer)
      case .send(let answer, _):
        guard let question = await run.question else { throw ToolFailure(["no question is open"]) }
        guard let move = try await move(answer, on: question) else {
          throw ToolFailure(["the flow was dismissed"], exit: .cancelled)
        }
        do {
          try await run.make(move) { say(move.line.printable) }
        } catch let invalid as InvalidAnswer {
          effects += player.handle(.refused(.refused(.invalidPayload(message: "", reasons: invalid.reasons))))
          continue
        }
        moves.append(move)
        effects += player.handle(.accepted(revision: await run.state.revision))
        effects += player.handle(try await news(run))
      }
    }
    throw ToolFailure(["the script waits for something that does not happen without a daemon"])
  }

  /// What the player is told of a flow that waits.
  private func news(_ run: PlayedRun) async throws -> AnswerPlayer.Input {
    if let outcome = run.outcome { return .ended(FlowEnd(outcome)) }
    guard await run.question != nil else {
      throw ToolFailure(["the script waits for something that does not happen without a daemon"])
    }
    let state = await run.state
    return .window(
      MirroredWindow(
        revision: state.revision,
        screens: state.window.screens.map { shown in
          PresentedScreen(
            id: shown.id.number, coordinator: shown.coordinator.objectPath, style: shown.style, layer: shown.layer,
            back: shown.back, screen: shown.content)
        }))
  }

  /// Returns what an answer does; nil if it ends the flow.
  private func move(_ answer: AnswerMove, on question: PlayedQuestion) async throws -> PlayedMove? {
    switch answer {
    case .dismiss: return nil
    case .back: return PlayedMove(.back, on: question)
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
      return PlayedMove(.event(delegation.event, delegation.payload, secrets: given), on: question)
    }
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
