import Forms
import Platform

extension ScriptLog {
  /// Handles the user's answer.
  ///
  /// - Parameters:
  ///   - event: the event that the screen offered.
  ///   - payload: its payload without secrets.
  ///   - secrets: the names of the secrets that came with it.
  ///   - key: the key of the question, which is that of its screen.
  /// - Returns: the verdict.
  package mutating func answer(
    _ event: String, _ payload: [String: JSONValue], secrets: [String], on key: String
  ) -> EventVerdict {
    if key == Self.workingKey { return answerAtWork(event) }
    guard let index = entries.lastIndex(where: { $0.key == key && $0.ask != nil }), let ask = entries[index].ask else {
      return .refused("this question is not open")
    }
    // A question whose step is under way offers only to stop it.
    if ask.cancels.contains(where: { $0.bytes.equals(event) }) { return .end(.cancel) }
    guard ask.answer == nil, index == lastAsk, undoing == nil else { return .refused("this question is not open") }
    var all = payload
    for secret in secrets { all[secret] = ["secret": true] }
    record(.event(event, all), at: index)
    return .goOn(entry: index)
  }

  /// Handles an action of the screen that is shown while a script works.
  private mutating func answerAtWork(_ event: String) -> EventVerdict {
    let isCancel = lastAsk.flatMap { entries[$0].ask?.cancels }?.contains { $0.bytes.equals(event) } ?? false
    // An action of the question may have the same id. Only one of the two is shown.
    if event.bytes.equals(Self.stopAction), !stoppable.isEmpty || !isCancel { return stopSteps() }
    return isCancel ? .end(.cancel) : .refused("this question is not open")
  }

  /// Handles the end of a timer: that of a question, or one of the script. While a step is being undone, the end is recorded as
  /// well: it counts if the step cannot be undone, and is dropped otherwise.
  ///
  /// - Parameter key: the key of the timer.
  /// - Returns: the verdict.
  package mutating func timerIsOver(_ key: String) -> EventVerdict {
    if let index = entries.lastIndex(where: { $0.isOpen && "\(Self.timeoutPrefix)\($0.key)" == key }),
      let ask = entries[index].ask
    {
      record(ask.fallback ?? .timeout, at: index)
      return undoing == nil ? .goOn(entry: index) : .noted
    }
    guard let index = entries.lastIndex(where: { $0.key == key && $0.isOpen }), var timer = entries[index].timer else {
      return .nothing
    }
    timer.isOver = true
    entries[index].body = .timer(timer)
    return undoing == nil ? .goOn(entry: index) : .noted
  }

  /// The prefix that the key of a question has in the key of its timer.
  static let timeoutPrefix = "timeout:"

  private mutating func record(_ answer: RecordedAnswer, at index: Int) {
    entries[index].changeAsk { ($0.answer, $0.text) = (answer, nil) }
    suggestions[entries[index].key] = nil
    notices = []
  }

  /// Handles the end of a child.
  ///
  /// - Parameters:
  ///   - ending: the outcome of the child.
  ///   - flow: the child's flow.
  ///   - input: the child's input.
  /// - Returns: the verdict.
  package mutating func childHasEnded(
    _ ending: ChildEnding, flow: String, input: [String: JSONValue]
  ) -> EventVerdict {
    let index =
      entries.firstIndex { $0.isOpen && $0.child?.flow == flow && $0.child?.input == input }
      ?? entries.firstIndex { $0.isOpen && $0.child?.flow == flow }
    guard let index, var child = entries[index].child else { return .nothing }
    child.ending = ending
    entries[index].body = .child(child)
    if entries[index].isEffect { suggestions = [:] }
    return .goOn(entry: index)
  }

  /// Handles the end of the script.
  ///
  /// - Parameters:
  ///   - end: the end.
  ///   - index: the number of the run's operations before it; nil if unknown.
  ///   - now: the time, in microseconds since 1970.
  /// - Returns: the reply.
  package mutating func take(_ end: ScriptEnd, at index: Int? = nil, now: UInt64) -> EndReply {
    if let index, index < entries.count {
      if let misfit = misfit(end.word, end.word, at: index, "") { return .held(misfit) }
      cut(to: index)
    }
    guard case .again(let input) = end else { return .ended }
    rounds = isRoundInVain(now: now) ? rounds + 1 : 0
    roundStart = nil
    // A run that starts over is a new run.
    (self.input, features) = (input, ScriptFeature.ofRuns)
    (entries, suggestions, isAgain, undoing, notices, begun) = ([], [:], true, nil, [], [:])
    return .again
  }
}

/// The consequence of an event for a script.
package enum EventVerdict: Sendable, Hashable {
  /// An entry is recorded for which the run waits, so it continues. Another run may do so just as well.
  case goOn(entry: Int)
  /// A step has failed, and is retried: by the run that has performed it and waits for that, or by another one.
  case tryAgain(entry: Int)
  /// The user stops these steps and looks, whose work goes on until their commands have ended.
  case stop(entries: [Int])
  /// The run continues by itself, or a new one is started.
  case goOnRunning
  /// The progress of the run no longer counts: a new run is needed.
  case rerun(RerunReason)
  /// The coordinator ends.
  case end(ScriptEnd)
  /// The event is refused; nothing changes.
  case refused(String)
  /// An entry is recorded, but no run waits for it: a step is being undone.
  case noted
  /// The event has no consequence.
  case nothing
}

extension EventVerdict {
  /// The verdict if no run can go on, because none is where the log is.
  package var rerunning: EventVerdict {
    switch self {
    case .goOn, .tryAgain, .stop, .goOnRunning: .rerun(.back)
    case .rerun, .end, .refused, .noted, .nothing: self
    }
  }
}

/// The reason why a run is replaced by another one.
package enum RerunReason: String, Sendable, Hashable {
  /// The log was cut by Back, or a step has to be undone.
  case back
  /// The process of a step has ended.
  case interrupted
  /// The log was cut to before the form whose secrets were lost.
  case secretLost = "secret-lost"
  /// A step could not be undone, but later ones were, and have to be performed again.
  case undoFailed = "undo-failed"
  /// The script starts over.
  case again
  /// The script or the language has changed.
  case changed
}
