import CoordinatorKit
import Forms
import ScriptEngine

extension LocalScripts {
  /// How long a script may compute until its next operation.
  private static let patience = Duration.seconds(20)

  /// Executes a script again with a log, and records all that it asks and does. The run has no effects: it receives what is
  /// recorded, and is stopped at the first operation that is not.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - instance: the coordinator.
  ///   - log: the recorded log.
  /// - Returns: what the script has done.
  package func trace(_ script: Script, as instance: FlowInstance, with log: ScriptLog) async -> ScriptTrace {
    await traceAndLog(script, as: instance, with: log).trace
  }

  /// Executes a script again with a log, as another machine would on another day.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - instance: the coordinator.
  ///   - log: the recorded log.
  /// - Returns: what the script has done.
  package func traceElsewhere(_ script: Script, as instance: FlowInstance, with log: ScriptLog) async -> ScriptTrace {
    var log = log
    return await trace(script, instance, nil, &log, in: .elsewhere)
  }

  /// Executes a script again with a log, in a language.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - instance: the coordinator.
  ///   - log: the recorded log.
  ///   - language: the language of the user.
  /// - Returns: what the script has done.
  package func trace(
    _ script: Script, as instance: FlowInstance, with log: ScriptLog, in language: String
  ) async -> ScriptTrace {
    var log = log
    return await trace(script, instance, language, &log)
  }

  /// Executes a script once more with a log.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - instance: the coordinator.
  ///   - log: the recorded log.
  /// - Returns: what the script has done, and the log after it, without the entries that no longer fit.
  package func traceAndLog(
    _ script: Script, as instance: FlowInstance, with log: ScriptLog
  ) async -> (trace: ScriptTrace, log: ScriptLog) {
    var log = log
    let trace = await trace(script, instance, nil, &log)
    return (trace, log)
  }

  private func trace(
    _ script: Script, _ instance: FlowInstance, _ language: String?, _ log: inout ScriptLog, in surroundings: Surroundings = .own
  ) async -> ScriptTrace {
    var trace = ScriptTrace()
    // Without knowledge of the log, the run sends each operation.
    let order = RunOrder(
      script: script, instance: instance,
      log: ScriptLog(input: log.input, version: log.version, features: log.features), language: language)
    let run: any ScriptRun
    do {
      run = try starter(in: surroundings).start(order)
    } catch {
      trace.operations.append(.init(kind: "crash", key: "\(error)", place: "", content: [:]))
      return trace
    }
    defer { run.stop(.evicted) }
    while let event = await run.inbox.next(until: .now + Self.patience) {
      switch event {
      case .message(.operation(let operation, let entry)):
        let isOver = take(operation, entry, run, &log, &trace)
        if isOver { return trace }
      case .message(.end(let end, _)):
        trace.operations.append(.init(kind: end.word, key: "", place: "", content: end.json))
        return trace
      case .message(.crash(let crash)):
        trace.operations.append(.init(kind: "crash", key: crash.message, place: crash.place, content: [:]))
        return trace
      case .ended(let problem, _, _):
        trace.operations.append(.init(kind: problem == nil ? "finish" : "crash", key: problem ?? "", place: "", content: [:]))
        return trace
      case .message(.done), .message(.failed), .message(.progress): break
      }
    }
    trace.operations.append(.init(kind: "nothing", key: "", place: "", content: [:]))
    return trace
  }

  /// Records an operation, and answers it; returns whether the run stops there.
  private func take(
    _ operation: ScriptOperation, _ entry: Int, _ run: any ScriptRun, _ log: inout ScriptLog, _ trace: inout ScriptTrace
  ) -> Bool {
    let uses = trace.operations.count { $0.kind != ScriptTrace.noPatch && LogEntry($0.key, .patch).name == operation.name }
    let key = uses == 0 ? operation.name : "\(operation.name)#\(uses + 1)"
    trace.operations.append(.init(operation, key: key))
    switch log.take(operation, at: entry, from: runs.starter.source(now: 0, entry: entry)) {
    case .recorded, .speaks: run.tell(.recorded(log.entries[entry]), entry: entry)
    case .patched(let isPatched):
      if !isPatched { trace.operations[trace.operations.count - 1].kind = ScriptTrace.noPatch }
      run.tell(.patched(isPatched), entry: entry)
    case .waiting: return !log.entries.dropFirst(entry + 1).contains(where: \.isOpen)
    case .held(let misfit):
      let (old, number) = (misfit.recorded, misfit.entry + 1)
      trace.operations.append(
        .init(
          kind: ScriptTrace.held,
          key: "recorded \(number). \(old.body.word) \"\(old.key)\"; now \(number). \(misfit.kind) \"\(misfit.key)\"."
            + " Since then, \(misfit.effect.body.word) \"\(misfit.effect.key)\" was done.",
          place: "", content: [:]))
      return true
    case .tooLong, .mistake: return true
    }
    return false
  }
}

/// What a run of a script asks and does, from its first line.
package struct ScriptTrace: Sendable, Hashable {
  /// One thing that a script does.
  package struct Operation: Sendable, Hashable {
    /// The kind, as the protocol calls it.
    package var kind: String
    package var key: String
    /// Where the operation is in the script; "" if unknown.
    package var place: String
    /// What is shown of the operation, or else its parts.
    package var content: JSONValue
  }

  /// The kind of an operation that does not fit the log and cannot be undone.
  package static let held = "held"
  /// The kind of the question for a patch that the log does not have.
  package static let noPatch = "no patch"

  package var operations: [Operation] = []

  /// The first difference from another run with the same log; nil if there is none.
  ///
  /// - Parameter other: what another run has done.
  /// - Returns: the number of the operation, from 0, and what both do there; nil for nothing more.
  package func difference(from other: ScriptTrace) -> (index: Int, one: Operation?, other: Operation?)? {
    for index in 0..<max(operations.count, other.operations.count) {
      let one = index < operations.count ? operations[index] : nil
      let two = index < other.operations.count ? other.operations[index] : nil
      if one?.compared != two?.compared { return (index, one, two) }
    }
    return nil
  }
}

extension ScriptTrace.Operation {
  /// The parts that must be the same in two runs.
  fileprivate var compared: ScriptTrace.Operation {
    var other = self
    other.place = ""
    return other
  }

  init(_ operation: ScriptOperation, key: String) {
    let content: JSONValue =
      switch operation.kind {
      case .ask(let question): .object((try? question.screen?.json) ?? [:])
      case .step(let step): ["busy": .string(step.busy), "once": .boolean(step.isOnce)]
      case .child(let flow, let input, _): ["flow": .string(flow), "input": .object(input)]
      case .timer(.seconds(let seconds)): ["seconds": JSONValue(seconds)]
      case .timer(.time(let time)): ["until": JSONValue(time)]
      case .value, .patched: [:]
      }
    self.init(kind: operation.kind.word, key: key, place: operation.place, content: content)
  }
}
