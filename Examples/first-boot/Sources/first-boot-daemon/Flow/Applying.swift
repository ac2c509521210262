import CoordinatorKit

/// Applies answers step by step, and reports the progress. Each result is stored before the next step begins.
actor Applying: Coordinator {
  static let flow = FlowDescription("apply-answers", title: "Setting up", canBeLeft: false, isInternal: true)

  enum Route: Codable { case progress }
  struct State: FlowState {
    var answers = Answers()
    var steps: [SetupStep] = []
    var results: [SetupStep: StepResult] = [:]
  }
  /// The steps to apply, and the answers. The secrets come with the message, under the names of the steps.
  struct Message: Codable {
    var steps: [SetupStep]
    var answers: Answers
  }
  struct Result: Codable { var results: [SetupStep: StepResult] }
  struct Work: Codable {
    var step: SetupStep
    var answers: Answers
  }

  let context = Context()
  private let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func start() { router.present(.progress) }

  func screen(for route: Route) -> Screen {
    let fraction = state.steps.isEmpty ? 0 : Double(state.results.count) / Double(state.steps.count)
    return .progress(
      "applying", title: "Setting up this machine", progress: Progress(fraction: fraction, text: runningWork.first?.step.title))
  }

  func parentSent(_ message: Message) throws {
    (state.answers, state.steps) = (message.answers, message.steps)
    for step in message.steps {
      if let secret = passedSecret(step.rawValue) { keep(secret, as: step.rawValue) }
    }
    try applyNext()
  }

  private func applyNext() throws {
    guard let step = state.steps.first(where: { state.results[$0] == nil }) else {
      return try finish(Result(results: state.results))
    }
    let secrets = keptSecret(step.rawValue).map { ["secret": $0] } ?? [:]
    try startWork(Work(step: step, answers: state.answers), secrets: secrets)
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> StepResult {
    await machine.apply(work.step, of: work.answers, secret: context.secrets["secret"])
  }

  func workEnded(_ work: Work, with result: WorkResult<StepResult>) throws {
    state.results[work.step] =
      switch result {
      case .done(let result): result
      case .failed(let error): .failed(Problem.text(of: error))
      }
    forgetSecret(work.step.rawValue)
    if work.step == .user, state.results[.user]?.isApplied == false, state.steps.contains(.password) {
      state.results[.password] = .failed("There is no user.")
    }
    try applyNext()
  }

  /// Starts the work again without the secret, which a restart has lost: the machine may have completed the step before.
  func workInterrupted(_ work: Work) throws { try startWork(work) }
}
