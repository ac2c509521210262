import CoordinatorKit
import CoordinatorScripts
import Forms
import RendererKit
import ScriptEngine

/// Walks every way through a script: every action and row, forms with values that they accept, time limits, and steps that
/// succeed and fail. Each way is walked by two runs, which have to ask and show the same.
package struct ScriptExplorer: Sendable {
  /// How often a question is followed where a loop asks it again.
  private static let repeats = 2

  private let stage: ScriptStage
  private let choices: PathChoices
  private let maxPaths: Int

  /// Creates an explorer.
  ///
  /// - Parameters:
  ///   - stage: executes the scripts.
  ///   - policy: the commands that stand for steps.
  ///   - isReal: whether steps for which nothing stands are really done.
  ///   - maxPaths: how many ways to walk to their end.
  package init(_ stage: ScriptStage, _ policy: StepPolicy, isReal: Bool, maxPaths: Int) {
    (self.stage, self.maxPaths) = (stage, maxPaths)
    choices = PathChoices(policy: policy, isReal: isReal, flows: Set(stage.scripts.keys))
  }

  /// Walks a flow.
  ///
  /// - Parameters:
  ///   - flow: its name.
  ///   - input: its input.
  /// - Returns: what was found.
  package func walk(_ flow: String, input: [String: JSONValue]) async -> ExploredFlow {
    var exploration = Exploration(flow)
    let start = ExploredFlow.Node(kind: .start, name: flow)
    exploration.found.add(start)
    do throws(PlayProblem) {
      let tree = try await stage.start(flow, input: input)
      await arrive(ScriptPath(tree: tree, node: start), &exploration)
      while let (path, choice) = exploration.next() {
        guard exploration.found.paths < maxPaths else {
          exploration.found.isCut = true
          break
        }
        await go(path, choice, &exploration)
      }
    } catch {
      exploration.found.add(ExploredProblem(id: "\(error)", lines: ["\(error)"], path: []))
    }
    await exploration.compareAgain(on: stage)
    return exploration.found
  }

  /// Lets something happen, and goes on as far as only one thing can happen.
  private func go(_ path: ScriptPath, _ choice: PathChoice, _ exploration: inout Exploration) async {
    var next = path
    next.node = choice.node
    if !choice.label.isEmpty { next.words += ["\(choice.node.text): \(choice.label)".printable] }
    let flow = path.tree.flows[choice.flow]
    let event = await event(choice, in: flow)
    do throws(PlayProblem) {
      next.tree = try await happen(choice, event, path.tree)
    } catch {
      return await exploration.fails(error, flow, event, next.words, on: stage)
    }
    await exploration.check(flow, event, next, on: stage)
    await arrive(next, &exploration, label: choice.label)
  }

  /// The event that a choice leads to: work is done here. Nil if it is about a child, which has events of its own.
  private func event(_ choice: PathChoice, in flow: PlayedFlow) async -> FlowQuestion.Event? {
    switch choice.kind {
    case .event(let event, _): return event
    case .perform(let work): return .workEnded(id: work.work.id, await stage.perform(work, of: flow))
    case .stub(let work):
      return .workEnded(id: work.work.id, .ended(await choices.policy.ending(of: work, in: flow) ?? .done(.null)))
    case .fire(let key, _): return .timer(key: key)
    case .childEnded, .playChild: return nil
    }
  }

  private func happen(
    _ choice: PathChoice, _ event: FlowQuestion.Event?, _ tree: PlayedTree
  ) async throws(PlayProblem) -> PlayedTree {
    switch choice.kind {
    case .childEnded(let child, let outcome): return try await stage.childEnded(child, outcome, in: tree, flow: choice.flow)
    case .playChild(let child): return try await stage.play(child, of: choice.flow, in: tree)
    case .fire(let key, let due): return try await stage.fire(key, due: due, of: choice.flow, in: tree)
    case .event, .perform, .stub:
      guard let event else { return tree }
      var secrets: [String: Secret] = [:]
      if case .event(_, let given) = choice.kind { secrets = given.mapValues { Secret(copying: $0) } }
      return try await stage.take(event, by: choice.flow, in: tree, secrets: secrets)
    }
  }

  /// Notes a place, and what can happen there. Work is done at once: the run that waits for it goes on then.
  private func arrive(_ path: ScriptPath, _ exploration: inout Exploration, label: String = "") async {
    var path = path
    let node = path.tree.node
    if let node, node != path.node {
      exploration.found.add(ExploredFlow.Edge(from: path.node, label: label, to: node))
    } else if let node {
      exploration.found.add(node)
    }
    if let question = path.tree.question, let node {
      exploration.found.titles[node.name] = exploration.found.titles[node.name] ?? question.screen.content.title
    }
    if path.tree.outcome != nil { return await exploration.ended(path, on: stage) }
    guard exploration.seen.insert(path.tree.identity).inserted else { return exploration.found.repeated += 1 }
    if let question = path.tree.question, LogEntry.use(of: question.key) > Self.repeats {
      return await exploration.left(path, on: stage)
    }
    let all: [PathChoice]
    do {
      all = try choices.all(in: path.tree)
    } catch is UnknownValues {
      let name = node?.name ?? ""
      exploration.note("no values are known that the form \(name) accepts: give a field an --example; what follows was not tried")
      return await exploration.left(path, on: stage)
    } catch {
      exploration.found.add(
        ExploredProblem(
          id: "screen \(node?.name ?? "")", lines: ["the question \(node?.name ?? "") cannot be shown: \(error)"],
          path: path.words))
      return
    }
    guard !all.isEmpty else {
      exploration.found.add(
        ExploredProblem(id: "waits", lines: ["the script waits for something that cannot happen"], path: path.words))
      return
    }
    // What happens by itself happens now, while its run waits.
    if all.count == 1, case .question = path.tree.pending {
    } else if all.count == 1 {
      if let node { path.node = node }
      return await go(path, all[0], &exploration)
    }
    exploration.add(all.map { (path, $0) })
  }
}
