import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

/// Lets happen what a test says, and goes on to what comes next: a question, a timer, or the end.
struct SteeredRunner: Sendable {
  private let stage: ScriptStage
  private let policy: StepPolicy
  /// Where everything crashes next.
  private var crash: SteeringRequest.CrashPoint?

  init(_ stage: ScriptStage, _ policy: StepPolicy, crash: SteeringRequest.CrashPoint?) {
    (self.stage, self.policy, self.crash) = (stage, policy, crash)
  }

  /// Starts a flow, or goes on with a log.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func start(
    _ flow: String, input: [String: JSONValue], log: ScriptLog?
  ) async throws(PlayProblem) -> PlayedTree {
    guard let log else { return try await settle(stage.start(flow, input: input)) }
    return try await settle(stage.start(flow, with: log))
  }

  /// Lets something happen.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func take(_ kind: SteeringRequest.Kind, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    switch kind {
    case .event(let name, let payload, let secrets): return try await answer(name, payload, secrets, in: tree)
    case .back:
      guard let question = tree.question, question.screen.back else { throw .refused("there is no way back") }
      return try await take(.back(key: question.key), by: question.flow, in: tree)
    case .restart: return try await restart(tree)
    case .advance(let time): return try await advance(tree, by: time)
    case .start, .fits, .trace: return tree
    }
  }

  private mutating func answer(
    _ name: String, _ payload: [String: JSONValue], _ secrets: [String: Secret], in tree: PlayedTree
  ) async throws(PlayProblem) -> PlayedTree {
    guard let question = tree.question else { throw .refused("no question is open") }
    // A daemon checks it before the script hears of it.
    let all = payload.merging(secrets.mapValues { _ in ["secret": true] }) { $1 }
    guard Question(screen: question.screen.content, digest: "").accepts(.event(name, all)) else {
      throw .refused("the question \(question.key) does not accept \(name) \(JSONValue.object(all).canonicalText)")
    }
    let event = FlowQuestion.Event.event(name: name, key: question.key, payload: payload, secrets: secrets.keys.sorted())
    return try await take(event, by: question.flow, in: tree, secrets: secrets)
  }

  private mutating func advance(_ tree: PlayedTree, by time: UInt64) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    let end = stage.time(in: tree) + time
    while tree.outcome == nil, let next = tree.nextTimer, next.due <= end {
      tree = try await settle(stage.fire(next.key, due: next.due, of: next.flow, in: tree))
    }
    tree.now = max(tree.now, end)
    return tree
  }

  // MARK: Going on

  private mutating func take(
    _ event: FlowQuestion.Event, by index: Int, in tree: PlayedTree, secrets: [String: Secret] = [:]
  ) async throws(PlayProblem) -> PlayedTree {
    let next = try await stage.take(event, by: index, in: tree, secrets: secrets)
    if crash == .beforeStep, next.flows.indices.contains(index), next.flows[index].hasStep,
      let log = tree.flows[index].log(after: event)
    {
      crash = nil
      return try await settle(before(log, event, index, Array(secrets.keys), tree))
    }
    return try await settle(next)
  }

  /// Crashes when it is stored what an event tells, and the script has not got to its step yet.
  private func before(
    _ log: ScriptLog, _ event: FlowQuestion.Event, _ index: Int, _ secrets: [String], _ tree: PlayedTree
  ) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    tree.turn += 1
    tree.flows[index].state = log.text
    switch event {
    case .workEnded(let id, _): tree.flows[index].work.removeAll { $0.work.id == id }
    case .timer(let key): tree.flows[index].timers[key] = nil
    case .childEnded(let child, _, _): tree.flows[index].children.removeAll { $0.child == child }
    default: break
    }
    return try await restart(tree, lost: [index: secrets])
  }

  /// Goes on to the next question, timer or end.
  private mutating func settle(_ tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    while true {
      switch tree.pending {
      case .question, .timer, .nothing, .ended: return tree
      case .child(let flow, let child):
        if let outcome = await policy.outcome(of: child) {
          tree = try await stage.childEnded(child, outcome, in: tree, flow: flow)
        } else {
          tree = try await stage.play(child, of: flow, in: tree)
        }
      case .work(let flow, _): return try await work(of: flow, in: tree)
      }
    }
  }

  /// Performs all work of a coordinator, side by side, as a daemon would have it performed.
  private mutating func work(of index: Int, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    let flow = tree.flows[index]
    let crash = flow.hasStep ? self.crash : nil
    if crash != nil { self.crash = nil }
    var ends: [Int: ProvidedWork.End] = [:]
    if crash != .duringStep {
      ends = await withTaskGroup { [stage, policy] group in
        for (number, work) in flow.work.enumerated() {
          group.addTask { () -> (Int, ProvidedWork.End) in
            if let ending = await policy.ending(of: work, in: flow) { return (number, .ended(ending)) }
            return (number, await stage.perform(work, of: flow))
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }
    var after = tree
    if crash != nil { stage.kill() }
    let lost = crash == nil ? [:] : after.loseSecrets()
    for (number, work) in flow.work.enumerated() {
      // What comes of one piece of work may be that another one is of no use.
      guard after.flows.indices.contains(index), after.flows[index].work.contains(where: { $0.work.id == work.work.id })
      else { continue }
      let end = crash == nil ? ends[number] ?? .cutShort : .cutShort
      after = try await happens(.workEnded(id: work.work.id, end), by: index, in: after)
    }
    return try await settle(tell(lost, in: after))
  }

  /// Takes what has come of work, which may lead to the next step, before which everything may crash.
  private mutating func happens(
    _ event: FlowQuestion.Event, by index: Int, in tree: PlayedTree
  ) async throws(PlayProblem) -> PlayedTree {
    let isLast = tree.flows[index].work.count == 1
    let next = try await stage.take(event, by: index, in: tree)
    guard crash == .beforeStep, isLast, next.flows.indices.contains(index), next.flows[index].hasStep,
      let log = tree.flows[index].log(after: event)
    else { return next }
    crash = nil
    return try await before(log, event, index, [], tree)
  }

  // MARK: Crashes

  /// Restarts everything: what is stored is all there is, and secrets are lost.
  private mutating func restart(_ tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    try await settle(restart(tree, lost: [:]))
  }

  private func restart(_ tree: PlayedTree, lost: [Int: [String]]) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    stage.kill()
    let lost = tree.loseSecrets().merging(lost) { Array(Set($0 + $1)) }
    tree = try await tell(lost, in: tree)
    // A new run shows what the log leads to.
    guard tree.outcome == nil, lost.values.allSatisfy(\.isEmpty), let last = tree.flows.indices.last else { return tree }
    return try await stage.take(.language, by: last, in: tree)
  }

  /// Tells coordinators which secrets are lost.
  private func tell(_ lost: [Int: [String]], in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    for (index, names) in lost.sorted(by: { $0.key < $1.key }) where !names.isEmpty && tree.flows.indices.contains(index) {
      tree = try await stage.take(.secretsGone(names.sorted()), by: index, in: tree)
    }
    return tree
  }
}

extension PlayedTree {
  /// The timer that goes off next.
  var nextTimer: (flow: Int, key: String, due: UInt64)? {
    let all = flows.enumerated().flatMap { index, flow in flow.timers.map { (flow: index, key: $0.key, due: $0.value) } }
    return all.min { ($0.due, $0.key) < ($1.due, $1.key) }
  }

  /// Forgets all secrets; returns their names by the coordinator that had them.
  fileprivate mutating func loseSecrets() -> [Int: [String]] {
    var lost: [Int: [String]] = [:]
    for index in flows.indices where !flows[index].secrets.isEmpty {
      lost[index] = Array(flows[index].secrets.keys)
      flows[index].secrets = [:]
    }
    return lost
  }
}

extension PlayedFlow {
  /// Whether a step is under way, or about to be.
  fileprivate var hasStep: Bool {
    work.contains { $0.argument?.kind == .step && entry(of: $0)?.step?.isLook == false }
  }
}
