import CoordinatorKit
import Forms
import ScriptEngine

/// A piece of work of a script: a step, its undoing, or the running on of a script that is slow.
struct ScriptWork {
  private let id: String
  private let argument: WorkArgument
  private let instance: String
  private let attempt: UInt64
  private let runs: ScriptRuns

  /// How long a script may compute until its next operation.
  private static let patience = Duration.seconds(600)

  init(_ id: String, _ argument: WorkArgument, _ instance: String, _ attempt: UInt64, _ runs: ScriptRuns) {
    (self.id, self.argument, self.instance, self.attempt, self.runs) = (id, argument, instance, attempt, runs)
  }

  /// Performs the work.
  ///
  /// - Parameter context: provides secrets, and takes news.
  /// - Returns: a ``WorkOutcome`` as text.
  /// - Throws: `CancellationError`.
  func perform(in context: SharedWorkContext) async throws -> String { try await outcome(in: context).text }

  private func outcome(in context: SharedWorkContext) async throws -> WorkOutcome {
    guard let live = await runs.cache.look(instance) else {
      if argument.kind == .run { try await runs.starter.pauses.wait(for: instance) }
      return .interrupted
    }
    if argument.kind == .run {
      _ = await live.run.inbox.isReady(until: .now + Self.patience)
      try Task.checkCancellation()
      return .ready
    }
    guard attempt <= 1, let entry = live.log.entries[safe: argument.entry], let step = entry.step, step.work == id else {
      return .interrupted
    }
    let events = live.run.inbox.beginWork(on: argument.entry)
    defer { live.run.inbox.endWork(on: argument.entry) }
    // What has ended the process may need a moment to pass.
    if step.deaths > 0 { try await Task.sleep(for: .seconds(1 << min(step.deaths - 1, 5))) }
    await runs.starter.departures.before(live.run, of: instance)
    try Task.checkCancellation()
    let key = "\(instance)/\(entry.key)"
    if argument.kind == .undo, let arguments = step.undo?.arguments {
      let outcome = await runs.starter.undo(by: arguments, key, instance)
      try Task.checkCancellation()
      return told(outcome, entry)
    }
    guard live.run.tell(order(step, key, context), entry: argument.entry) else {
      return live.run.inbox.hasDied ? .died : .interrupted
    }
    return told(try await outcome(events, of: entry, in: context), entry)
  }

  /// Tells of an undo that has failed: the person sees only that it has.
  private func told(_ outcome: WorkOutcome, _ entry: LogEntry) -> WorkOutcome {
    if argument.kind == .undo, case .ended(.failed(let error)) = outcome {
      runs.tell("step \"\(entry.key)\" could not be undone: \(error.type): \(error.message)", ofInstance: instance)
    }
    return outcome
  }

  private func order(_ step: StepEntry, _ key: String, _ context: SharedWorkContext) -> RunReply {
    guard argument.kind == .step else { return .undo(key: key) }
    let secrets = step.secrets.compactMap { name in context.secrets[name].map { (name: name, value: $0) } }
    return .go(key: key, attempt: step.attempts, isCounted: step.mostAttempts != nil, secrets: secrets)
  }

  private func outcome(
    _ events: AsyncStream<RunEvent>, of entry: LogEntry, in context: SharedWorkContext
  ) async throws -> WorkOutcome {
    for await event in events {
      switch event {
      case .message(.done(let value, _)): return .ended(.done(value))
      case .message(.failed(let error, _)): return .ended(.failed(error))
      case .message(.progress(let fraction, let text, _)):
        context.report(Progress(fraction: fraction, text: text.map { Text(verbatim: $0) }))
      case .ended(let problem?, _, isOwn: true):
        runs.tell("\(problem), in \(entry.body.word) \"\(entry.key)\"", ofInstance: instance)
        return .died
      case .ended: return .interrupted
      case .message(.crash(let crash)):
        runs.tell("\(crash), in \(entry.body.word) \"\(entry.key)\"", ofInstance: instance)
        return .died
      case .message: return .died
      }
    }
    throw CancellationError()
  }
}
