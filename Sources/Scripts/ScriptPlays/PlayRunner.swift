import CoordinatorKit
import CoordinatorScripts
import Forms
import RendererKit
import ScriptEngine

/// Plays a script from question to question.
struct PlayRunner: Sendable {
  let stage: ScriptStage
  let policy: StepPolicy
  /// Whether everything is killed after each event, and each step once in its middle.
  var crashes = false
  /// Receives a line about each step, look and child.
  var note: @Sendable (String) -> Void = { _ in }
  /// The steps that were cut short once.
  private var cutShort: Set<String> = []
  /// The attempts at each step that were performed to their end.
  private(set) var attempts: [String: [UInt64]] = [:]

  init(_ stage: ScriptStage, _ policy: StepPolicy) { (self.stage, self.policy) = (stage, policy) }

  /// The steps that were done twice with the same attempt, which nobody could notice.
  var repeated: [String] { attempts.filter { Set($0.value).count < $0.value.count }.keys.sorted() }

  /// Starts a flow, and goes on to its first question.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func start(_ flow: String, input: [String: JSONValue]) async throws(PlayProblem) -> PlayedTree {
    let tree = try await stage.start(flow, input: input)
    crash(before: tree)
    return try await settle(tree)
  }

  /// Takes an event of a coordinator, and goes on to the next question.
  ///
  /// - Throws: ``PlayProblem``.
  mutating func take(
    _ event: FlowQuestion.Event, by index: Int, in tree: PlayedTree, secrets: [String: Secret] = [:]
  ) async throws(PlayProblem) -> PlayedTree {
    // What belongs to a question may be wiped when its step is done, and the same answer be given once more.
    let tree = try await stage.take(event, by: index, in: tree, secrets: secrets.mapValues { Secret(copying: $0) })
    crash(before: tree)
    return try await settle(tree)
  }

  /// Kills everything, unless a run waits for its step: that is cut short once, and must be done then.
  private func crash(before tree: PlayedTree) {
    if !crashes { return }
    if case .work = tree.pending { return }
    stage.kill()
  }

  /// Goes on to the next question, or to the end.
  private mutating func settle(_ tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    var tree = tree
    while true {
      switch tree.pending {
      case .question, .nothing, .ended: return tree
      case .timer(let flow, let key, let due): tree = try await stage.fire(key, due: due, of: flow, in: tree)
      case .child(let flow, let child):
        if let outcome = await policy.outcome(of: child) {
          note("\(child.name) ▸ \(outcome.name)")
          tree = try await stage.childEnded(child, outcome, in: tree, flow: flow)
        } else {
          tree = try await stage.play(child, of: flow, in: tree)
        }
      case .work(let flow, _): tree = try await performWork(of: flow, in: tree)
      }
      crash(before: tree)
    }
  }

  /// Performs all work of a coordinator, side by side, as a daemon would have it performed.
  private mutating func performWork(of index: Int, in tree: PlayedTree) async throws(PlayProblem) -> PlayedTree {
    let flow = tree.flows[index]
    if crashes {
      for work in flow.work where work.argument?.kind != .undo {
        guard let entry = flow.entry(of: work), let step = entry.step, !step.isOnce, step.mostAttempts != 1,
          cutShort.insert("\(flow.instance.name)/\(entry.key)").inserted
        else { continue }
        stage.kill()
        return try await stage.take(.workEnded(id: work.work.id, .cutShort), by: index, in: tree)
      }
    }
    let ends = await withTaskGroup { [stage, policy] group in
      for (number, work) in flow.work.enumerated() {
        group.addTask { () -> (Int, ProvidedWork.End) in
          if let ending = await policy.ending(of: work, in: flow) { return (number, .ended(ending)) }
          return (number, await stage.perform(work, of: flow))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var after = tree
    for (number, work) in flow.work.enumerated() {
      // What comes of one piece of work may be that another one is of no use.
      guard after.flows.indices.contains(index), after.flows[index].work.contains(where: { $0.work.id == work.work.id }),
        let end = ends[number]
      else { continue }
      after = try await stage.take(.workEnded(id: work.work.id, end), by: index, in: after)
      note(end, of: work, in: flow)
    }
    return after
  }

  private mutating func note(_ end: ProvidedWork.End, of work: PlayedWork, in flow: PlayedFlow) {
    guard let entry = flow.entry(of: work), let step = entry.step else { return }
    let isUndo = work.argument?.kind == .undo
    if !step.isLook, !isUndo { attempts["\(flow.instance.name)/\(entry.key)", default: []].append(step.attempts) }
    note(line(entry, step, isUndo, end).printable)
  }

  private func line(_ entry: LogEntry, _ step: StepEntry, _ isUndo: Bool, _ end: ProvidedWork.End) -> String {
    let what = isUndo ? "undo" : step.isLook ? "look" : "step"
    let again = step.attempts > 1 && !isUndo ? " (attempt \(step.attempts))" : ""
    return "\(what) \(entry.key)\(again) ▸ \(end.summary)"
  }
}

extension ProvidedWork.End {
  /// What has come of a step, in a few words.
  fileprivate var summary: String {
    guard case .done(let text) = self, let json = JSONValue(json: text) else { return "cut short" }
    if let error = json["error"] { return "failed: \(error["message"]?.string ?? "")" }
    return json.object?["done"] == nil ? "cut short" : "done"
  }
}
