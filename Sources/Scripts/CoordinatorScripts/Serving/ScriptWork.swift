import CoordinatorKit
import Forms
import Platform
import ScriptEngine

/// A piece of work of a script: a step, an undo, or the continuation of a slow script.
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
  /// - Parameter context: provides secrets, and receives progress.
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
    // The cause that has ended the process may need a moment to pass.
    if step.deaths > 0 { try await Task.sleep(for: .seconds(1 << min(step.deaths - 1, 5))) }
    await runs.starter.departures.before(live.run, of: instance)
    try Task.checkCancellation()
    // It was stopped before it began, or its process has ended meanwhile.
    if argument.kind == .step, step.isStopped { return .ended(.failed(.stopped)) }
    let key = "\(instance)/\(entry.key)"
    if argument.kind == .undo, let arguments = step.undo?.arguments {
      let outcome = await runs.starter.undo(by: arguments, key, instance)
      try Task.checkCancellation()
      return told(outcome, entry)
    }
    if argument.kind == .step, step.secrets.contains(where: { secret($0, context) == nil }) {
      return .ended(.failed(live.log.lack(of: step.secrets.filter { secret($0, context) == nil }, before: argument.entry)))
    }
    guard live.run.tell(order(step, key, context), entry: argument.entry) else {
      return live.run.inbox.hasDied ? .died : .interrupted
    }
    return told(try await outcome(events, of: entry, in: context), entry)
  }

  /// Reports a failed undo to the author: the user only learns that it has failed.
  private func told(_ outcome: WorkOutcome, _ entry: LogEntry) -> WorkOutcome {
    if argument.kind == .undo, case .ended(.failed(let error)) = outcome {
      runs.tell("step \"\(entry.key)\" could not be undone: \(error.type): \(error.message)", ofInstance: instance)
    }
    return outcome
  }

  private func secret(_ name: String, _ context: SharedWorkContext) -> Secret? {
    context.secrets[name] ?? runs.results.copy(of: name, of: instance)
  }

  /// The maximum number of bytes of a secret, as for the standard input of a step.
  private static let maxSecret = 32 << 10

  /// Returns how a step ends whose result is a secret: the secret is kept here, and the ending does not contain it.
  private func keepSecret(of entry: LogEntry, in ending: StepEnding) -> StepEnding {
    switch ending {
    case .done(let value):
      guard let text = value.string ?? value["output"]?.string, value["cut"]?.boolean != true, text.utf8.count <= Self.maxSecret
      else {
        return .failed(
          StepError(
            type: StepError.noResultType, message: "This was done, but its result is no secret: a text of at most 32 KiB.",
            rest: value.string == nil ? ["status": 1, "output": ""] : [:]))
      }
      let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") }.map(text.utf8.index(after:)) ?? text.startIndex
      runs.results.add(Secret(bytes: text.utf8[..<end]), named: entry.name, of: instance)
      return .done(value.string == nil ? ["status": 0, "output": ""] : ["secret": true])
    case .failed(var error):
      // Also its last words may contain the secret.
      if let status = error.rest["status"]?.integer, !error.mayBeDone {
        (error.message, error.rest["output"]) = ("exit status \(status)", "")
      }
      return .failed(error)
    }
  }

  private func order(_ step: StepEntry, _ key: String, _ context: SharedWorkContext) -> RunReply {
    guard argument.kind == .step else { return .undo(key: key) }
    let secrets = step.secrets.compactMap { name in secret(name, context).map { (name: name, value: $0) } }
    return .go(key: key, attempt: step.attempts, isCounted: step.mostAttempts != nil, secrets: secrets)
  }

  /// Returns how a step is recorded that has ended.
  func recorded(_ ending: StepEnding, of entry: LogEntry) -> StepEnding {
    argument.kind == .step && entry.step?.isResultSecret == true ? keepSecret(of: entry, in: ending) : ending
  }

  private func outcome(
    _ events: AsyncStream<RunEvent>, of entry: LogEntry, in context: SharedWorkContext
  ) async throws -> WorkOutcome {
    for await event in events {
      switch event {
      case .message(.done(let value, _)): return .ended(recorded(.done(value), of: entry))
      case .message(.failed(let error, _)): return .ended(recorded(.failed(error), of: entry))
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

/// The results of steps that are secrets, until the next step has taken them. They are lost when this program ends. May be used
/// from any thread.
final class SecretResults: Sendable {
  private let secrets = Lock<[String: [String: Secret]]>([:])

  /// Whether no secret is kept.
  var isEmpty: Bool { secrets.withLock(\.isEmpty) }

  /// Keeps a secret for an instance, in place of an earlier one with this name.
  func add(_ secret: Secret, named name: String, of instance: String) {
    secrets.withLock { $0[instance, default: [:]].updateValue(secret, forKey: name) }?.wipe()
  }

  /// Returns a copy of a secret; nil if there is none.
  func copy(of name: String, of instance: String) -> Secret? {
    secrets.withLock { $0[instance]?[name].map { Secret(copying: $0) } }
  }

  /// Wipes the secrets of an instance with other names than these.
  func keep(only names: Set<String>, of instance: String) {
    let spare = secrets.withLock { secrets -> [Secret] in
      guard let all = secrets[instance] else { return [] }
      let kept = all.filter { names.contains($0.key) }
      secrets[instance] = kept.isEmpty ? nil : kept
      return all.filter { kept[$0.key] == nil }.map(\.value)
    }
    for secret in spare { secret.wipe() }
  }
}
