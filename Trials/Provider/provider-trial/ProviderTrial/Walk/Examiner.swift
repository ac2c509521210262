import CoordinatorDaemon
import CoordinatorKit
import Platform
import ProviderFiles
import TestBus

/// Asks a provider the kit's questions, and examines each answer. May be used from any thread.
final class Examiner: FlowProvider {
  private struct State: Sendable {
    var asked: [AskedQuestion] = []
    var essences: Set<Question> = []
    var workIDs: [String: Set<String>] = [:]
    var works: [String: PerformedWork] = [:]
    var lastTurn: UInt64 = 0
    var failures = 0
    var children: Set<String> = []
  }

  /// The number of deaths and timeouts after which no more questions are asked.
  static let mostFailures = 5

  let stage: Stage
  let log: TrialLog
  let marks: SecretMarks
  let flows: [String: RegisteredFlow]
  /// The maximum duration of work.
  let patience: Duration
  private let childResults: [String: [String: JSONValue]]
  private let catalogue = Lock<ProvidedFlows?>(nil)
  private let state = Lock(State())

  init(
    _ stage: Stage, _ log: TrialLog, _ marks: SecretMarks, flows: [String: RegisteredFlow], patience: Duration,
    childResults: [String: [String: JSONValue]]
  ) {
    (self.stage, self.log, self.marks, self.flows) = (stage, log, marks, flows)
    (self.patience, self.childResults) = (patience, childResults)
    // The clock is ahead of the turns that another daemon has used.
    state.withLock { $0.lastTurn = 1_000 }
  }

  /// The questions of the walk, one for each situation.
  var asked: [AskedQuestion] { state.withLock(\.asked) }
  /// The work of the walk, one piece of each kind.
  var works: [PerformedWork] { state.withLock { $0.works.values.sorted { $0.kind < $1.kind } } }
  /// Whether the provider has failed too often to continue.
  var hasGivenUp: Bool { state.withLock { $0.failures >= Self.mostFailures } }
  /// The flows of other programs that the provider starts.
  var children: [String] { state.withLock { $0.children.sorted() } }

  /// Returns the number of another question.
  func nextTurn() -> UInt64 {
    state.withLock { state in
      state.lastTurn += 1
      return state.lastTurn
    }
  }

  /// Returns the catalogue of the provider's flows.
  func makeCatalogue() -> FlowCatalogue {
    let provided = ProvidedFlows(provider: self)
    for flow in flows.values { provided.add(flow.description, schemas: flow.schemas) }
    catalogue.withLock { $0 = provided }
    var result = FlowCatalogue()
    result.provided = provided
    return result
  }

  // MARK: Asking

  func server(of flow: String) -> ServingProgram? { ServingProgram(name: "", version: flows[flow]?.version ?? 1) }

  func isAway(_ flow: String) -> Bool { false }

  func decide(
    _ question: FlowQuestion, as server: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    var history = history
    if let server = self.server(of: question.instance.flow) { history.ask(server) }
    return (await decide(question), history)
  }

  private func decide(_ question: FlowQuestion) async -> FlowAnswer {
    guard let flow = flows[question.instance.flow] else {
      return StandIn(result: childResults[question.instance.flow] ?? [:]).decide(question)
    }
    guard !hasGivenUp else { return .trouble(.failed("the provider has failed too often")) }
    guard let question = try? Question(question, deadline: flow.deadline) else {
      return .trouble(.failed("the question cannot be sent"))
    }
    let turn = nextTurn()
    let reply = await ask(question, turn: turn)
    guard reply != .dropped else { return .trouble(.gone("nobody waits for the answer")) }
    let isNew = state.withLock { $0.essences.insert(question.essence).inserted }
    if isNew { await askAgain(question, turn, reply) }
    let answer = examine(reply, to: question, turn)
    if isNew {
      var decision: FlowDecision?
      if case .decided(let decided) = answer { decision = decided }
      let asked = AskedQuestion(question: question, turn: turn, reply: reply, decision: decision)
      state.withLock { $0.asked.append(asked) }
    }
    return answer
  }

  /// Asks a question. Restarts the provider if it dies while deciding.
  func ask(_ question: Question, turn: UInt64) async -> Reply {
    log.asks(question.kind)
    let deadline = flows[question.flow]?.deadline ?? .seconds(5)
    let before = stage.book.value.intrusions.count
    let reply = await stage.decide(question, turn: turn, deadline: deadline)
    log.tries(.noEffects)
    for member in stage.book.value.intrusions.dropFirst(before) {
      log.found(.noEffects, "it called \(member) of the daemon while it decided", over: question, turn: turn)
    }
    log.tries(.answersInTime)
    switch reply {
    case .gone:
      state.withLock { $0.failures += 1 }
      log.found(.survives, "the provider ended over the question\(stage.lastWords)", over: question, turn: turn)
      guard !hasGivenUp else { break }
      do { try await stage.restart() } catch {
        log.found(.comesBack, "it did not start again: \(error)")
        state.withLock { $0.failures = Self.mostFailures }
      }
    case .silent:
      state.withLock { $0.failures += 1 }
      log.found(.answersInTime, "there was no answer within \(deadline)", over: question, turn: turn)
    case .answer, .error, .dropped: break
    }
    if marks.areThere {
      log.tries(.hidesSecrets)
      if marks.isIn(reply.strings) { log.found(.hidesSecrets, "the answer contains a secret", over: question, turn: turn) }
    }
    return reply
  }

  private func askAgain(_ question: Question, _ turn: UInt64, _ reply: Reply) async {
    guard reply.isThere, !hasGivenUp else { return }
    log.tries(.sameTurn)
    let again = await ask(question, turn: turn)
    guard again.isThere, again.canonical != reply.canonical else { return }
    log.found(
      .sameTurn, "the same question was answered in two ways: \(again.difference(from: reply))", over: question, turn: turn)
  }

  // MARK: Examining

  /// Examines a reply with the daemon's checks and further ones.
  func examine(_ reply: Reply, to question: Question, _ turn: UInt64) -> FlowAnswer {
    if !question.isAwaited { log.tries(.refusalIsAwaited) }
    switch reply {
    case .gone: return .trouble(.gone("the provider has left"))
    case .silent, .dropped: return .trouble(.timeout("the provider has not decided in time"))
    case .error(let error): return examine(error, to: question, turn)
    case .answer(let value):
      log.tries(.answerIsValid)
      do {
        let decision = try AnswerDecoder().decision([value])
        review(decision, question, turn)
        return .decided(decision)
      } catch {
        log.found(.answerIsValid, "the answer \(error)", over: question, turn: turn)
        return .trouble(.failed("the answer \(error)"))
      }
    }
  }

  private func review(_ decision: FlowDecision, _ question: Question, _ turn: UInt64) {
    log.tries(.answerIsPossible)
    if !decision.screens.isEmpty { log.tries(.screenIsDescribed) }
    let faults = AnswerReview(decision, to: question).faults
    for fault in faults { log.found(fault.check, fault.text, over: question, turn: turn) }
    for operation in decision.operations {
      switch operation {
      case .startWork(let work, let secrets, _):
        if !secrets.isEmpty { log.tries(.namesHeldSecrets) }
        log.tries(.workIdIsNew)
        let isNew = state.withLock { $0.workIDs[question.instance, default: []].insert(work.id).inserted }
        // The kit drops an answer with a mistake, so the id may occur again.
        if !isNew, faults.isEmpty {
          log.found(.workIdIsNew, "the id '\(work.id)' names a second piece of work", over: question, turn: turn)
        }
      case .startTimer: log.tries(.timeIsReal)
      case .startChild(let flow, _, _, _) where flows[flow] == nil: standIn(for: flow)
      default: break
      }
    }
  }

  private func standIn(for flow: String) {
    guard state.withLock({ $0.children.insert(flow).inserted }) else { return }
    catalogue.withLock(\.self)?.add(
      FlowDescription(flow, title: Text(verbatim: flow)), schemas: FlowSchemas(result: nil, output: nil), checksInput: false)
  }

  /// Stores one piece of work of each kind.
  func remember(_ work: PerformedWork) {
    state.withLock { state in
      if state.works[work.kind] == nil { state.works[work.kind] = work }
    }
  }
}
