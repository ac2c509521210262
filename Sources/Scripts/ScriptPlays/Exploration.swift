import CoordinatorKit
import CoordinatorScripts
import Forms
import RendererKit
import ScriptEngine

/// What is known while a script is explored.
struct Exploration: Sendable {
  /// A way that was walked to its end, and how its first run went.
  private struct Walked: Sendable {
    let flow: PlayedFlow
    let log: ScriptLog
    let trace: ScriptTrace
    let words: [String]
  }

  var found: ExploredFlow
  /// The places that were reached.
  var seen: Set<String> = []
  private var waiting: [(path: ScriptPath, choice: PathChoice)] = []
  /// What has happened somewhere.
  private var tried: Set<String> = []
  private var walked: [Walked] = []
  private var lastTrace = ContinuousClock.now

  init(_ flow: String) { found = ExploredFlow(flow) }

  mutating func note(_ text: String) { if !found.notes.contains(text) { found.notes.append(text) } }

  mutating func add(_ choices: [(path: ScriptPath, choice: PathChoice)]) { waiting += choices }

  /// Takes what is to be tried next: what has not happened anywhere, otherwise what waits for longest.
  mutating func next() -> (path: ScriptPath, choice: PathChoice)? {
    guard !waiting.isEmpty else { return nil }
    let index = waiting.firstIndex { !tried.contains("\($0.choice.node.text) \($0.choice.label)") } ?? 0
    let next = waiting.remove(at: index)
    tried.insert("\(next.choice.node.text) \(next.choice.label)")
    return next
  }

  // MARK: Ends of ways

  /// A way has ended: what the coordinators that have ended did is repeated.
  mutating func ended(_ path: ScriptPath, on stage: ScriptStage) async {
    found.paths += 1
    for ending in path.tree.endings {
      guard let log = ending.log else { continue }
      await repeated(ending.flow, log, path.words, on: stage)
    }
  }

  /// A way is not walked to its end.
  mutating func left(_ path: ScriptPath, on stage: ScriptStage) async {
    found.repeated += 1
    for flow in path.tree.flows {
      guard let log = flow.log else { continue }
      await repeated(flow, log, path.words, on: stage)
    }
  }

  private mutating func repeated(
    _ flow: PlayedFlow, _ log: ScriptLog, _ words: [String], on stage: ScriptStage
  ) async {
    let trace = await stage.trace(flow, with: log)
    lastTrace = .now
    walked.append(Walked(flow: flow, log: log, trace: trace, words: words))
  }

  /// Executes each way a second time, in another second than the first.
  mutating func compareAgain(on stage: ScriptStage) async {
    let second = Duration.milliseconds(1_050)
    if !walked.isEmpty { try? await Task.sleep(until: lastTrace + second) }
    for way in walked {
      let trace = await stage.trace(way.flow, with: way.log)
      guard let difference = way.trace.difference(from: trace) else { continue }
      found.add(ExploredProblem(difference, of: way.flow.script, after: way.words))
    }
  }

  // MARK: Mistakes

  /// An event has led to a mistake of the script.
  mutating func fails(
    _ problem: PlayProblem, _ flow: PlayedFlow, _ event: FlowQuestion.Event?, _ words: [String], on stage: ScriptStage
  ) async {
    if let log = event.flatMap({ flow.log(after: $0) }), await differ(flow, log, words, on: stage) { return }
    found.add(ExploredProblem(id: problem.description, lines: [problem.description], path: words))
  }

  /// Looks whether the run that took an event has found its log as it was recorded.
  mutating func check(_ flow: PlayedFlow, _ event: FlowQuestion.Event?, _ next: ScriptPath, on stage: ScriptStage) async {
    guard let log = event.flatMap({ flow.log(after: $0) }),
      let new = next.tree.flows.first(where: { $0.instance == flow.instance })?.log, !new.isAgain || log.isAgain,
      next.tree.outcome == nil
    else { return }
    for (index, entry) in log.entries.enumerated() {
      let other = index < new.entries.count ? new.entries[index] : nil
      if let other, other.isSame(as: entry) { continue }
      if await differ(flow, log, next.words, on: stage) { return }
      found.add(
        ExploredProblem(
          id: "\(flow.script.name) \(entry.name)",
          lines: [
            "\(flow.script.name): a run does not find its log as another run has recorded it, at operation \(index + 1):",
            "  \(entry.body.word) \"\(entry.key)\"", "  \(other.map { "\($0.body.word) \"\($0.key)\"" } ?? "nothing")",
          ] + ExploredProblem.advice, path: next.words))
      return
    }
  }

  /// Executes a script a few times with a log; returns whether two runs differ, which is noted.
  private mutating func differ(_ flow: PlayedFlow, _ log: ScriptLog, _ words: [String], on stage: ScriptStage) async -> Bool {
    let first = await stage.trace(flow, with: log)
    for _ in 0..<5 {
      let second = await stage.trace(flow, with: log)
      guard let difference = first.difference(from: second) else { continue }
      found.add(ExploredProblem(difference, of: flow.script, after: words))
      return true
    }
    return false
  }
}

extension LogEntry {
  /// Whether a run has recorded the same operation, and has shown the same.
  fileprivate func isSame(as other: LogEntry) -> Bool {
    key == other.key && body.word == other.body.word && ask?.digest == other.ask?.digest
  }
}
