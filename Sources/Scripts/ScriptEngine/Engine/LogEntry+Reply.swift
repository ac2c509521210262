import Forms

extension LogEntry {
  /// What a run is told when the operation has ended, without `run` and `entry`; empty if it has not. A run that
  /// has done a step itself hears only that it is recorded.
  package var reply: [String: JSONValue] {
    switch body {
    case .ask(let ask): ask.answer.map { ["answer": $0.json] } ?? [:]
    case .step(let step):
      switch step.ending {
      case .done(let value): ["result": value]
      case .failed(let error): ["error": error.json]
      case nil: [:]
      }
    case .value(let value): ["result": value]
    case .child(let child): child.ending?.members ?? [:]
    case .timer(let timer): timer.isOver ? ["result": true] : [:]
    case .patch: ["result": true]
    }
  }
}
