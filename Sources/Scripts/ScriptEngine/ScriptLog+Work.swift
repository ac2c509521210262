import Forms

extension ScriptLog {
  /// Starts work for each open step that has none, and for the undo that is due.
  ///
  /// - Returns: the work to begin.
  package mutating func startWork() -> [StartedWork] {
    if let undoing {
      guard let index = newestUndo(from: undoing), entries[index].step?.work == nil else { return [] }
      let id = nextWork(.undo)
      entries[index].changeStep { $0.work = id }
      return [StartedWork(id: id, kind: .undo, entry: index)]
    }
    var started: [StartedWork] = []
    for index in entries.indices {
      guard let step = entries[index].step, step.ending == nil, step.work == nil else { continue }
      let id = nextWork(.step)
      entries[index].changeStep { $0.work = id }
      started.append(StartedWork(id: id, kind: .step, entry: index))
    }
    return started
  }

  /// Begins the work of a step.
  ///
  /// - Parameters:
  ///   - index: the index of the step's entry.
  ///   - attempt: the number of this attempt; nil to count one more.
  /// - Returns: the step, with the number of attempts; nil if it must not be performed again: then it has ended.
  package mutating func begin(_ index: Int, attempt: UInt64? = nil) -> StepEntry? {
    guard let step = entries[safe: index]?.step, step.ending == nil else { return nil }
    let attempts = max(attempt ?? 0, step.begun + 1)
    if step.isExhausted {
      entries[index].changeStep { ($0.ending, $0.work) = (.failed(.unknown), nil) }
      return nil
    }
    entries[index].changeStep { $0.attempts = attempts }
    return entries[index].step
  }

  /// Handles the end of a piece of work.
  ///
  /// - Parameters:
  ///   - id: the piece of work.
  ///   - ending: its ending.
  /// - Returns: the verdict.
  package mutating func workHasEnded(_ id: String, _ ending: StepEnding) -> EventVerdict {
    guard let index = entries.lastIndex(where: { $0.step?.work == id }), let step = entries[index].step else { return .nothing }
    if step.ending != nil {
      entries[index].changeStep { $0.work = nil }
      if case .failed(let error) = ending { return undone(error) }
      return undone(nil)
    }
    guard !step.isTriedAgain(after: ending) else {
      entries[index].changeStep { ($0.work, $0.deaths) = (nil, 0) }
      return .tryAgain(entry: index)
    }
    entries[index].changeStep { ($0.ending, $0.work, $0.deaths) = (ending, nil, 0) }
    if entries[index].isEffect { suggestions = [:] }
    return .goOn(entry: index)
  }

  /// The indices of the steps and looks that the user can stop: a second time, if the first has not ended them.
  var stoppable: [Int] {
    entries.indices.filter { entries[$0].step.map { $0.ending == nil && $0.isStoppable } ?? false }
  }

  /// The user stops the work under way, as far as the script allows it.
  ///
  /// - Returns: the verdict.
  mutating func stopSteps() -> EventVerdict {
    let stoppable = stoppable
    guard undoing == nil, !stoppable.isEmpty else { return .refused("nothing can be stopped at the moment") }
    for index in stoppable { entries[index].changeStep { $0.isStopped = true } }
    return .stop(entries: stoppable)
  }

  /// Handles the interruption of a piece of work: its process has ended, or this program was restarted.
  ///
  /// - Parameters:
  ///   - id: the piece of work.
  ///   - isDeath: whether the script's process has ended by itself, and may do so again.
  /// - Returns: the verdict.
  package mutating func workWasInterrupted(_ id: String, isDeath: Bool = false) -> EventVerdict {
    guard let index = entries.lastIndex(where: { $0.step?.work == id }), let step = entries[index].step else { return .nothing }
    entries[index].changeStep { step in
      step.work = nil
      if isDeath { step.deaths += 1 }
    }
    interruptOthers()
    // The next run reports it as stopped, when nothing of the last one is left.
    if step.ending == nil, step.isStopped { return .rerun(.interrupted) }
    guard step.ending == nil, step.attempts > 0 else { return .rerun(.interrupted) }
    if step.isExhausted {
      entries[index].changeStep { $0.ending = .failed(.unknown) }
      suggestions = [:]
    } else if !step.secrets.isEmpty, let form = form(of: step.secrets, before: index) {
      return askAgain(form)
    }
    return .rerun(.interrupted)
  }

  /// Ends the other steps, because the run of an interrupted step is replaced with all its work.
  private mutating func interruptOthers() {
    guard undoing == nil else { return }
    for index in entries.indices where entries[index].isOpen && entries[index].step?.work != nil {
      entries[index].changeStep { step in
        step.work = nil
        if step.isExhausted { step.ending = .failed(.unknown) }
      }
    }
  }
}

extension ScriptLog {
  /// The target of Back.
  package enum BackTarget: Sendable, Hashable {
    /// The log is cut to this entry, which is a question.
    case cut(to: Int)
    /// There is no earlier question: the flow is cancelled.
    case cancel
    /// An operation in between cannot be undone.
    case barred
  }

  /// The target of Back at this point.
  package var backTarget: BackTarget {
    if undoing != nil { return .barred }
    guard let last = lastAsk else { return entries.contains(where: \.isBarrier) || isAgain ? .barred : .cancel }
    // Operations after an answer are dropped with it.
    if !entries[last].isOpen { return target(last) }
    var first = last
    while entries[first].ask?.corrects == true, let before = ask(before: first) { first = before }
    guard let before = ask(before: first) else {
      return entries[..<first].contains(where: \.isEffect) || isAgain ? .barred : .cancel
    }
    return target(before)
  }

  private func target(_ index: Int) -> BackTarget {
    entries[index...].contains(where: \.isBarrier) ? .barred : .cut(to: index)
  }

  /// Whether the current screen allows Back.
  package var allowsBack: Bool { backTarget != .barred }

  /// Handles Back.
  ///
  /// - Returns: the verdict.
  package mutating func goBack() -> EventVerdict {
    switch backTarget {
    case .barred: return .refused(Text("Something was done that cannot be taken back.").string)
    case .cancel: return .end(.cancel)
    case .cut(let index):
      notices = []
      if newestUndo(from: index) != nil {
        // An interrupted step may have been performed.
        for step in entries.indices[index...] where entries[step].isOpen {
          entries[step].changeStep { ($0.ending, $0.work, $0.isCutShort) = (.done(.null), nil, true) }
        }
        undoing = index
      } else {
        cut(to: index)
      }
      return .rerun(.back)
    }
  }

  /// Drops the last answer and all later entries, on behalf of an administrator, even if they had effects.
  ///
  /// - Returns: whether there was one.
  package mutating func dropLast() -> Bool {
    guard let index = entries.lastIndex(where: { $0.ask?.answer != nil }) else { return false }
    cut(to: index)
    undoing = nil
    // This order is also a retry.
    begun = [:]
    forgiveDeaths()
    return true
  }

  /// Drops an entry and those after it. Answers stay as suggestions, and attempts of open steps stay counted.
  mutating func cut(to index: Int) {
    for entry in entries[index...] {
      if let answer = entry.ask?.answer?.suggestion { suggestions[entry.key] = answer }
      if let step = entry.step, !step.isLook, step.ending == nil, step.begun > 0 { begun[entry.key] = step.begun }
    }
    entries.removeSubrange(index...)
  }

  // MARK: Undoing

  /// Returns the newest step that has to be undone before the log can be cut to an entry.
  package func newestUndo(from index: Int) -> Int? {
    guard index <= entries.count else { return nil }
    return entries[index...].lastIndex { $0.isEffect && $0.step?.undo != nil }
  }

  /// The user stays at the same place, and interrupted operations continue.
  private mutating func goOnWithCutShort() -> EventVerdict {
    var form: Int?
    for index in entries.indices where entries[index].step?.isCutShort == true {
      entries[index].changeStep { step in
        step.isCutShort = false
        step.ending = step.isExhausted ? .failed(.unknown) : nil
      }
      // The first attempt has used them.
      if let secrets = entries[index].step?.secrets, !secrets.isEmpty, entries[index].isOpen {
        form = form ?? self.form(of: secrets, before: index)
      }
    }
    guard let form else { return .rerun(.undoFailed) }
    let failed = notices
    defer { notices = failed + notices }
    return askAgain(form)
  }

  /// Handles the end of the undo of the newest step.
  ///
  /// - Parameter failure: the reason why it could not be undone; nil if it was.
  /// - Returns: the verdict.
  mutating func undone(_ failure: StepError?) -> EventVerdict {
    guard let target = undoing, let step = newestUndo(from: target) else { return .nothing }
    if failure != nil {
      undoing = nil
      notices.append(.undoFailed)
      entries[step].changeStep { ($0.work, $0.deaths) = (nil, 0) }
      return goOnWithCutShort()
    }
    cut(to: step)
    if newestUndo(from: target) == nil {
      cut(to: target)
      undoing = nil
    }
    return .rerun(.back)
  }
}
