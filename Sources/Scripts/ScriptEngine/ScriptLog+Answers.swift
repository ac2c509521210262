import Forms
import Platform

extension ScriptLog {
  /// The user has answered.
  ///
  /// - Parameters:
  ///   - event: the event that the screen offered.
  ///   - payload: its payload without secrets.
  ///   - secrets: the names of the secrets that came with it.
  ///   - key: the key of the question, which is that of its screen.
  /// - Returns: what comes of it.
  package mutating func answer(
    _ event: String, _ payload: [String: JSONValue], secrets: [String], on key: String
  ) -> EventVerdict {
    guard let index = entries.lastIndex(where: { $0.key == key && $0.ask != nil }), let ask = entries[index].ask else {
      return .refused("this question is not open")
    }
    // A question that is busy offers nothing but to stop.
    if ask.cancels.contains(where: { $0.bytes.equals(event) }) { return .end(.cancel) }
    guard ask.answer == nil, index == lastAsk, undoing == nil else { return .refused("this question is not open") }
    var all = payload
    for secret in secrets { all[secret] = ["secret": true] }
    record(.event(event, all), at: index)
    return .goOn(entry: index)
  }

  /// A timer is over: that of a question, or one of the script's own. While a step is undone, that is recorded as well: it
  /// counts if the step cannot be undone, and is dropped otherwise.
  ///
  /// - Parameter key: the key of the timer.
  /// - Returns: what comes of it.
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

  /// What precedes the key of a question in the key of its timer.
  static let timeoutPrefix = "timeout:"

  private mutating func record(_ answer: RecordedAnswer, at index: Int) {
    entries[index].changeAsk { $0.answer = answer }
    suggestions[entries[index].key] = nil
    notices = []
  }

  /// A child has ended.
  ///
  /// - Parameters:
  ///   - ending: how it has ended.
  ///   - flow: the child's flow.
  ///   - input: the child's input.
  /// - Returns: what comes of it.
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

  /// The script has said how it ends.
  ///
  /// - Parameters:
  ///   - end: how.
  ///   - index: how many operations the run had before it; nil if that is not known.
  ///   - now: the time, in microseconds since 1970.
  /// - Returns: what comes of it.
  package mutating func take(_ end: ScriptEnd, at index: Int? = nil, now: UInt64) -> EndReply {
    if let index, index < entries.count {
      if let misfit = misfit(end.word, end.word, at: index, "") { return .held(misfit) }
      cut(to: index)
    }
    guard case .again(let input) = end else { return .ended }
    rounds = isRoundInVain(now: now) ? rounds + 1 : 0
    roundStart = nil
    // A run that begins anew is a new run.
    (self.input, features) = (input, ScriptFeature.ofRuns)
    (entries, suggestions, isAgain, undoing, notices, begun) = ([], [:], true, nil, [], [:])
    return .again
  }
}

/// What comes of an event for a script.
package enum EventVerdict: Sendable, Hashable {
  /// An entry is recorded, for which the run waits: it goes on with that. Another run may do it just as well.
  case goOn(entry: Int)
  /// A step has failed, and begins again: in the run that has done it, which waits for that, or in another one.
  case tryAgain(entry: Int)
  /// The run goes on by itself, or a new one is started.
  case goOnRunning
  /// What the run has done no longer counts: another one is needed.
  case rerun(RerunReason)
  /// The coordinator ends.
  case end(ScriptEnd)
  /// The event is refused; nothing changes.
  case refused(String)
  /// An entry is recorded, but no run waits for it: a step is being undone.
  case noted
  /// Nothing comes of it.
  case nothing
}

/// Why a run is stopped for another one.
package enum RerunReason: String, Sendable, Hashable {
  /// The log was cut by Back, or a step has to be undone.
  case back
  /// A step has lost its process.
  case interrupted
  /// The log was cut to before the form whose secret was lost.
  case secretLost = "secret-lost"
  /// A step could not be undone, after others that now have to be done again.
  case undoFailed = "undo-failed"
  /// The script begins anew.
  case again
  /// The script has changed, or its screens are wanted in another language.
  case changed
}
