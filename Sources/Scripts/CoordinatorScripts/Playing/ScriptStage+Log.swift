import CoordinatorKit
import ScriptEngine

extension ScriptStage {
  /// Goes on with a log that was kept, as a flow does whose script has changed.
  ///
  /// What the script has asked for last, it asks for again. Steps that had begun are begun again.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - log: the log.
  /// - Returns: the flow.
  /// - Throws: ``PlayProblem``.
  package func start(_ flow: String, with log: ScriptLog) async throws(PlayProblem) -> PlayedTree {
    var log = log
    while let last = log.entries.last, last.isOpen, last.step == nil { log.entries.removeLast() }
    for index in log.entries.indices { log.entries[index].changeStep { $0.work = nil } }
    log.running = nil
    var root = try coordinator(flow, input: log.input)
    root.state = log.text
    return try await take(.migrate(from: log.version), by: 0, in: PlayedTree(flows: [root], now: clock.start))
  }

  /// Whether a person plays, for whom time and chance are as they are.
  package var isReal: Bool { clock.isReal }

  /// Returns the time, in microseconds since 1970.
  ///
  /// - Parameter tree: a flow that is played.
  /// - Returns: the time, which stands still while a flow is played for a test.
  package func time(in tree: PlayedTree) -> UInt64 { clock.time(after: tree.now) }
}
