import Forms
import ScriptEngine

/// What a run of a script asks and does, from its first line.
package struct ScriptTrace: Sendable, Hashable {
  /// One thing that a script does.
  package struct Operation: Sendable, Hashable {
    /// The kind, as the protocol calls it.
    package var kind: String
    package var key: String
    /// Where it stands in the script; "" if that is not known.
    package var place: String
    /// What is shown of it, or else what it consists of.
    package var content: JSONValue
  }

  /// The kind of an operation that does not fit what was recorded and cannot be taken back.
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
  /// What has to be the same in two runs.
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
