import CoordinatorKit
import CoordinatorScripts
import Forms
import RendererKit

/// Gives the answers of a play once more, with Back or a crash everywhere: it must end in the same way.
package struct RepeatedPlay: Sendable {
  /// What happens besides the answers.
  package enum Disturbance: Sendable {
    /// At each question Back, and the same answers again.
    case back
    /// Everything is killed after each event, and each step once in its middle.
    case crash
  }

  /// The most events of a play.
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
  ///   - ending: how the play without a disturbance has ended.
  ///   - disturbance: what happens besides the answers.
  package init(_ flow: String, input: [String: JSONValue], like ending: AnswerPlay.Ending, with disturbance: Disturbance) {
    (self.flow, self.input, self.ending, self.disturbance) = (flow, input, ending, disturbance)
  }

  /// Plays the script.
  ///
  /// - Parameter scripts: serves the script.
  /// - Returns: how often the disturbance has happened.
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
      // A form whose secret was lost is asked again, and so are those after it.
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
