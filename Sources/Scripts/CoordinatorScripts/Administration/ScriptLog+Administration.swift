import CoordinatorKit
import ScriptEngine

extension ScriptLog {
  /// Drops the last answer and what follows it, as an administrator has ordered.
  ///
  /// - Parameter event: the event in whose place this happens.
  /// - Returns: what comes of it, and which piece of work or timer the event says is over.
  mutating func dropLast(insteadOf event: FlowQuestion.Event) -> (verdict: EventVerdict, over: String?) {
    let over: String? =
      switch event {
      case .workEnded(let id, _), .workInterrupted(let id): id
      case .timer(let key): key
      default: nil
      }
    guard dropLast() else { return (.refused("Nothing was answered yet."), over) }
    (notices, running) = ([], nil)
    return (.rerun(.back), over)
  }

  /// Notes when entries were recorded.
  ///
  /// - Parameter now: the time, in microseconds since 1970.
  mutating func note(_ now: UInt64) {
    for index in entries.indices where !entries[index].isOpen && entries[index].time == nil {
      entries[index].time = now
    }
  }
}
