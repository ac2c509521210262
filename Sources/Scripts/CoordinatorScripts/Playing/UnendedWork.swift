import CoordinatorKit
import ScriptEngine

/// A step, a look or a stub has not ended within its time.
package struct UnendedWork: Error, Sendable, Hashable, CustomStringConvertible {
  /// What has not ended.
  package enum Kind: String, Sendable, Hashable {
    case step, look, stub
    /// What a script does between two operations.
    case computation
  }

  /// The name of the operation, as stubs have it; of a computation, that of the flow.
  package let name: String
  package let kind: Kind
  /// How long it may take.
  package let limit: Duration

  package var description: String {
    let time = "\(limit.components.seconds) s"
    return kind == .computation
      ? "the script \"\(name)\" has done nothing visible for \(time)"
      : "the \(kind.rawValue) \"\(name)\" has not ended within \(time)"
  }

  /// What its author can do.
  package var advice: String {
    let advice =
      kind == .computation ? "what takes long belongs in a step" : "--stub \(name)=COMMAND executes a command in its place"
    return "\(advice), and --patience SECONDS waits longer"
  }
}

extension LocalScripts {
  /// Performs work, or its stub, for as long as it may take.
  ///
  /// - Parameters:
  ///   - work: the work, for which a run waits.
  ///   - record: the coordinator that has ordered it.
  ///   - limit: how long it may take; nil for no limit.
  /// - Returns: how it has ended.
  /// - Throws: ``UnendedWork``. All processes of the play are gone then.
  package func perform(
    _ work: ProvidedWork, of record: CoordinatorRecord, within limit: Duration?
  ) async throws(UnendedWork) -> ProvidedWork.End {
    guard let limit else { return await performed(work, of: record) }
    // Not a task group, which would wait for work that cannot be cancelled.
    let (ends, continuation) = AsyncStream.makeStream(of: ProvidedWork.End?.self)
    let performing = Task { continuation.yield(await performed(work, of: record)) }
    let timing = Task {
      try await Task.sleep(for: limit)
      continuation.yield(nil)
    }
    defer {
      performing.cancel()
      timing.cancel()
    }
    for await end in ends {
      if let end { return end }
      kill()
      throw unended(work, of: record, limit)
    }
    return .cutShort
  }

  private func unended(_ work: ProvidedWork, of record: CoordinatorRecord, _ limit: Duration) -> UnendedWork {
    if let name = StandIn.name(in: work.argument) { return UnendedWork(name: name, kind: .stub, limit: limit) }
    guard let entry = record.providedState.flatMap({ ScriptLog(text: $0) })?.entry(of: work.id) else {
      return UnendedWork(name: record.flow, kind: .computation, limit: limit)
    }
    return UnendedWork(name: entry.name, kind: entry.step?.isLook == true ? .look : .step, limit: limit)
  }
}
