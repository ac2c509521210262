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
  private static let maxTurns: UInt64 = 10_000

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
  /// - Parameters:
  ///   - stage: executes the script.
  ///   - policy: says what is done about its steps.
  /// - Returns: how often the disturbance has happened.
  /// - Throws: `ToolFailure` if something is different; ``PlayProblem``.
  package func run(on stage: ScriptStage, _ policy: StepPolicy) async throws -> Int {
    var runner = PlayRunner(stage, policy)
    runner.crashes = disturbance == .crash
    var tree = try await runner.start(flow, input: input)
    var count = 0
    var index = 0
    var isTried: Set<Int> = []
    while tree.outcome == nil {
      guard tree.turn < Self.maxTurns else { throw ToolFailure(["\(name): the flow does not come to its end"]) }
      guard let question = tree.question, index < ending.moves.count else {
        throw ToolFailure(["\(name): the flow asks another question than before: \(describe(tree))"])
      }
      // A form whose secret was lost is asked again, and so are those after it.
      if question.place != ending.moves[index].place, let earlier = place(of: question.place, before: index) { index = earlier }
      try compare(question, with: ending.moves[index])
      if disturbance == .back, index > 0, question.screen.back, isTried.insert(index).inserted {
        tree = try await runner.take(.back(key: question.key), by: question.flow, in: tree)
        count += 1
        guard let back = tree.question, let earlier = place(of: back.place, before: index) else {
          throw ToolFailure([
            "\(name): Back from \(question.key) does not lead to a question that was before it: \(describe(tree))"
          ])
        }
        index = earlier
        continue
      }
      let move = ending.moves[index]
      tree = try await runner.take(move.event, by: question.flow, in: tree, secrets: move.secrets)
      if disturbance == .crash { count += 1 }
      index += 1
    }
    try compareEnds(tree.outcome)
    if disturbance == .crash, let step = runner.repeated.first {
      throw ToolFailure(["\(name): the step \(step) was done twice, and its attempt does not say so"])
    }
    return count
  }

  private var name: String { disturbance == .back ? "with Back everywhere" : "with a crash everywhere" }

  private func place(of place: String, before index: Int) -> Int? {
    ending.moves[..<index].lastIndex { move in
      if case .back = move.kind { return false }
      return move.place == place
    }
  }

  private func compare(
    _ question: (flow: Int, place: String, key: String, screen: DescribedScreen), with move: PlayedMove
  ) throws {
    guard question.place == move.place else {
      throw ToolFailure(["\(name): the flow asks \(question.key) where it has asked \(move.key)"])
    }
    guard let (one, other) = move.shown.difference(from: question.screen.comparable) else { return }
    throw ToolFailure(["\(name): the question \(question.key) is shown in another way:", "  \(one)", "  \(other)"])
  }

  private func compareEnds(_ outcome: Outcome?) throws {
    guard let outcome, outcome != ending.outcome else { return }
    throw ToolFailure(["\(name): the flow ends in another way:", "  \(ending.outcome.text)", "  \(outcome.text)"])
  }

  private func describe(_ tree: PlayedTree) -> String {
    tree.question?.key ?? tree.outcome?.text ?? "it waits for something that does not happen without a daemon"
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
