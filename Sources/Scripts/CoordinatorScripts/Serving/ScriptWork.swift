import CoordinatorKit
import Forms
import ScriptEngine

/// A piece of work of a script: a step, its undoing, or the running on of a script that is slow.
struct ScriptWork {
  private let id: String
  private let argument: WorkArgument
  private let instance: String
  private let attempt: UInt64
  private let cache: RunCache

  /// How long a script may compute until its next operation.
  private static let patience = Duration.seconds(600)

  init(_ id: String, _ argument: WorkArgument, _ instance: String, _ attempt: UInt64, _ cache: RunCache) {
    (self.id, self.argument, self.instance, self.attempt, self.cache) = (id, argument, instance, attempt, cache)
  }

  /// Performs the work.
  ///
  /// - Returns: a ``WorkOutcome`` as text.
  /// - Throws: `CancellationError`.
  func perform(in context: SharedWorkContext) async throws -> String {
    guard let live = cache.look(instance) else { return WorkOutcome.interrupted.text }
    if argument.kind == .run {
      _ = await live.run.inbox.isReady(until: .now + Self.patience)
      try Task.checkCancellation()
      return WorkOutcome.ready.text
    }
    guard attempt <= 1, let entry = live.log.entries[safeIndex: argument.entry], let step = entry.step, step.work == id else {
      return WorkOutcome.interrupted.text
    }
    let events = live.run.inbox.beginWork(on: argument.entry)
    defer { live.run.inbox.endWork(on: argument.entry) }
    let key = "\(instance)/\(entry.key)"
    if argument.kind == .undo {
      if case .command(let command) = step.undo { return await UndoCommand(command, key: key).run().text }
      live.run.tell(.undo(key: key), entry: argument.entry)
    } else {
      live.run.tell(
        .go(
          key: key, attempt: step.attempts, secrets: step.secrets.compactMap { name in context.secrets[name].map { (name, $0) } }),
        entry: argument.entry)
    }
    for await event in events {
      switch event {
      case .message(.done(let value, _)): return WorkOutcome.ended(.done(value)).text
      case .message(.failed(let error, _)): return WorkOutcome.ended(.failed(error)).text
      case .message(.progress(let fraction, let text, _)):
        context.report(Progress(fraction: fraction, text: text.map { Text(verbatim: $0) }))
      case .ended, .message: return WorkOutcome.interrupted.text
      }
    }
    throw CancellationError()
  }
}

/// What a piece of work has come to, as the daemon keeps it until the script is told.
enum WorkOutcome: Sendable, Hashable {
  /// The script has got to its next operation.
  case ready
  case ended(StepEnding)
  /// The work was cut short, or there was no run to do it.
  case interrupted

  /// The outcome as text.
  var text: String {
    let json: JSONValue =
      switch self {
      case .ready: ["ready": true]
      case .ended(.done(let value)): ["done": value]
      case .ended(.failed(let error)): ["error": error.json]
      case .interrupted: ["interrupted": true]
      }
    return json.wholeText
  }

  /// Reads an outcome; anything else is an interruption.
  init(_ json: JSONValue?) {
    if json?["ready"]?.boolean == true {
      self = .ready
    } else if let value = json?.object?["done"] {
      self = .ended(.done(value))
    } else if let error = json?["error"] {
      self = .ended(.failed(StepError(json: error)))
    } else {
      self = .interrupted
    }
  }
}

extension Array {
  subscript(safeIndex index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
