import CoordinatorKit
import CoordinatorTestKit
import Platform

/// Walks through a provider's flow with the kit, as its users do.
struct Walk {
  let examiner: Examiner
  let options: TrialOptions
  let catalogue: FlowCatalogue

  private static let runs = Lock(0)

  private var log: TrialLog { examiner.log }

  /// Walks through a flow.
  ///
  /// - Throws: `CancellationError`.
  func walk(through flow: FlowDescription) async throws {
    let generated = PayloadCandidates(form: flow.input, values: [:]).payloads.prefix(3)
    let inputs = options.inputs[flow.name].map { [$0] } ?? Array(generated)
    guard !inputs.isEmpty else {
      return log.couldNotTry("\(flow.name), because no input is known for it; give one with --input")
    }
    var explorer = FlowExplorer(
      flow.name, in: catalogue, inputs: inputs, answers: options.answers, maxStates: options.maxStates,
      patience: examiner.patience + .seconds(5))
    explorer.nextRoot = { "trial_\(Self.runs.withLock { $0 += 1; return $0 })" }
    explorer.startTime = Self.startTime
    explorer.firesTimers = true
    explorer.whenRefused = { [self] path, error in refused(error, at: path, in: flow.name) }
    let walk = try await explorer.walk()
    log.walked("\(walk)")
    log.tries(.flowIsWhole)
    for problem in walk.problems(screens: Set(walk.screens), completely: false) { judge(problem, of: flow.name) }
    if !walk.isComplete {
      log.couldNotTry("all of \(flow.name): there are more than \(walk.states) states; --states raises the limit")
    }
  }

  /// The time of all walks. It stands still, so that walking twice leads to the same state.
  private static let startTime = Timestamp(microseconds: 1_900_000_000_000_000)

  /// Records a refusal of the kit.
  private func refused(_ error: CallError, at path: [String], in flow: String) {
    let text: String
    switch error {
    case .provider(.failed(let reason)): text = reason
    case .held(_, let reason): text = reason
    default: return
    }
    guard
      text.hasPrefix("the provider has ") || text.hasPrefix("the provider dismisses")
        || text.hasPrefix("the provider names") || text.hasPrefix("the provider ends as")
    else { return }
    // The review of the answer may already have found it.
    let move = path.last?.prefix { $0 != " " } ?? ""
    let known: Set<Check> = [.screenIsDescribed, .answerIsPossible, .namesHeldSecrets]
    guard !log.findings.contains(where: { known.contains($0.check) && $0.flow == flow && $0.event?.contains(move) == true })
    else { return }
    log.found(.answerIsPossible, text, of: flow, at: path.joined(separator: " ▸ "))
  }

  private func judge(_ problem: FlowProblem, of flow: String) {
    let hasTrouble = log.findings.contains { $0.flow == flow && $0.check != .flowIsWhole }
    switch problem.kind {
    case .isDeadEnd, .hasAmbiguousChoice, .isNotRepeatable, .workDoesNotEnd, .doesNotSurviveRestart:
      // Earlier mistakes of the provider often cause these.
      guard !hasTrouble else { return }
      log.found(.flowIsWhole, problem.text, of: flow, at: problem.path.joined(separator: " ▸ "))
    case .doesNotStart(let error):
      if !hasTrouble { log.found(.flowIsWhole, "it does not start: \(error)", of: flow) }
    case .nobodyTakes(_, StandIn.passed): break
    case .isNeverTried(let screen, _):
      log.couldNotTry("the form \(screen) of \(flow), because no values are known for it; give some with --answers")
    case .nobodyTakes, .isAlwaysRefused, .backIsRefused, .backIsTaken, .isHeld:
      if !hasTrouble { log.remark("\(flow): \(problem)") }
    case .fails(let failing, _) where failing != flow && examiner.flows[failing] == nil: break
    default: log.remark("\(flow): \(problem)")
    }
  }
}

extension FlowProblem {
  /// The problem without its path.
  fileprivate var text: String {
    let prefix = path.isEmpty ? "" : path.joined(separator: " ▸ ") + ": "
    return String(description.dropFirst(prefix.count))
  }
}
