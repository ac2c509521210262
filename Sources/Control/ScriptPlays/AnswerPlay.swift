import ControlTool
import CoordinatorAnswers
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import RendererKit

/// Plays a script to its end with an answers file: `coordinatorctl answer` without a daemon.
package struct AnswerPlay: Sendable {
  /// The end of a play.
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
  ///   - environment: the environment of the process, which names the credentials.
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
      case .wait(let awaited): effects += player.handle(.waitedLongEnough(screen: awaited.screen))
      case .stopHeld: throw ToolFailure(.refused(.held(message: "")))
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

  /// The state of a waiting flow, as the player of answers receives it.
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

  /// Returns the effect of an answer; nil if it ends the flow.
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
  /// Returns the end of a flow as a client receives it.
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

/// The input that an answers file gives a flow.
package enum PlayedInput {
  /// Returns the input in the form that the schema requires, if it fits the flow, as the daemon does for a flow that it starts.
  ///
  /// - Parameters:
  ///   - file: the answers file.
  ///   - given: the input of the command line, which overrides that of the file; null removes a key.
  ///   - schema: the JSON Schema of the flow's input; nil if it is unknown, and anything fits.
  /// - Returns: the input.
  /// - Throws: `ToolFailure` if the flow does not accept it; the error of a schema that cannot be read.
  package static func values(
    _ file: AnswersFile, _ given: [Assignment], schema: JSONValue?
  ) throws -> [String: JSONValue] {
    let schema = try schema.map { try Schema(json: $0) }
    let typed: [String: JSONValue]
    do {
      typed = try TypedArguments.object(from: given, schema: schema, read: StandardStreams.read)
    } catch {
      throw ToolFailure([error.description], exit: .usage)
    }
    let input = AnswerText.input(file.input, schema: schema).merging(typed) { $1 }.filter { $0.value != .null }
    let reasons = schema?.check(input) ?? [:]
    guard reasons.isEmpty else {
      throw ToolFailure(ClientError.refused(.invalidInput(message: "", reasons: reasons)).lines, exit: .invalid)
    }
    return input
  }
}

extension AnswerPlay.Ending {
  /// The lines that report the end of the flow.
  package var text: String { (FlowEnd(outcome).resultLines.map { "\($0)\n" }).joined() }

  /// The exit code, the same as that of `coordinatorctl answer`.
  package var exit: ToolExit { FlowEnd(outcome).exitCode }
}

/// Repeats the answers of a play, with Back or a crash everywhere: it must end in the same way.
package struct RepeatedPlay: Sendable {
  /// The events besides the answers.
  package enum Disturbance: Sendable {
    /// Back at each question, and the same answers again.
    case back
    /// All processes are killed after each event, and once in the middle of each step.
    case crash
  }

  /// The maximum number of events of a play.
  private static let maxTurns = 10_000

  private let flow: String
  private let input: [String: JSONValue]
  private let ending: AnswerPlay.Ending
  private let disturbance: Disturbance

  /// Creates a play.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - input: its input.
  ///   - ending: the end of the play without a disturbance.
  ///   - disturbance: the events besides the answers.
  package init(_ flow: String, input: [String: JSONValue], like ending: AnswerPlay.Ending, with disturbance: Disturbance) {
    (self.flow, self.input, self.ending, self.disturbance) = (flow, input, ending, disturbance)
  }

  /// Plays the script.
  ///
  /// - Parameter scripts: serves the script.
  /// - Returns: how often the disturbance has occurred.
  /// - Throws: `ToolFailure` if something is different; ``PlayProblem``.
  package func run(on scripts: LocalScripts) async throws -> Int {
    var run = try await PlayedRun.start(flow, input: input, in: scripts, crashes: disturbance == .crash)
    defer { run.close() }
    var count = 0
    var index = 0
    var isTried: Set<Int> = []
    while run.outcome == nil {
      guard run.turns < Self.maxTurns else { throw ToolFailure(["\(name): the flow does not come to its end"]) }
      guard let question = await run.question, index < ending.moves.count else {
        throw ToolFailure(["\(name): the flow asks another question than before: \(await describe(run))"])
      }
      // A form whose secret was lost is asked again, and so are later forms.
      if question.place != ending.moves[index].place, let earlier = place(of: question.place, before: index) { index = earlier }
      try compare(question, with: ending.moves[index])
      if disturbance == .back, index > 0, question.shown.back, isTried.insert(index).inserted {
        try await run.make(PlayedMove(.back, on: question))
        count += 1
        guard let back = await run.question, let earlier = place(of: back.place, before: index) else {
          throw ToolFailure([
            "\(name): Back from \(question.key) does not lead to a question that was before it: \(await describe(run))"
          ])
        }
        index = earlier
        continue
      }
      try await run.make(ending.moves[index])
      if disturbance == .crash { count += 1 }
      index += 1
    }
    try compareEnds(run.outcome)
    if disturbance == .crash, let step = run.repeated.first {
      throw ToolFailure(["\(name): the step \(step) was done twice, and its attempt does not say so"])
    }
    return count
  }

  private var name: String { disturbance == .back ? "with Back everywhere" : "with a crash everywhere" }

  private func place(of place: String, before index: Int) -> Int? {
    ending.moves[..<index].lastIndex { !$0.isBack && $0.place == place }
  }

  private func compare(_ question: PlayedQuestion, with move: PlayedMove) throws {
    guard question.place == move.place else {
      throw ToolFailure(["\(name): the flow asks \(question.key) where it has asked \(move.key)"])
    }
    guard let (one, other) = move.shown.difference(from: question.comparable) else { return }
    throw ToolFailure(["\(name): the question \(question.key) is shown in another way:", "  \(one)", "  \(other)"])
  }

  private func compareEnds(_ outcome: Outcome?) throws {
    guard let outcome, outcome != ending.outcome else { return }
    throw ToolFailure(["\(name): the flow ends in another way:", "  \(ending.outcome.text)", "  \(outcome.text)"])
  }

  private func describe(_ run: PlayedRun) async -> String {
    await run.question?.key ?? run.outcome?.text ?? "it waits for something that does not happen without a daemon"
  }
}

extension Outcome {
  /// The outcome on one line, for people.
  var text: String {
    switch self {
    case .finished(let result): result.isEmpty ? "finished" : "finished \(JSONValue.object(result).canonicalText)"
    case .cancelled: "cancelled"
    case .failed(let failure): "failed \(failure.code): \(failure.message)"
    }
  }
}
