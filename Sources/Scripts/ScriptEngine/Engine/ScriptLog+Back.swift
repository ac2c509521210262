import Forms

extension ScriptLog {
  /// Where Back leads from here.
  package enum BackTarget: Sendable, Hashable {
    /// The log is cut to this entry, which is a question.
    case cut(to: Int)
    /// There is nothing before: the flow is cancelled.
    case cancel
    /// Something was done that cannot be taken back.
    case barred
  }

  /// Where Back leads from here.
  package var backTarget: BackTarget {
    if undoing != nil { return .barred }
    guard let last = lastAsk else { return entries.contains(where: \.isBarrier) || isAgain ? .barred : .cancel }
    // What runs after an answer is dropped with the answer.
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

  /// Whether the screen that is shown allows Back.
  package var allowsBack: Bool { backTarget != .barred }

  /// The user has gone back.
  ///
  /// - Returns: what comes of it.
  package mutating func goBack() -> EventVerdict {
    switch backTarget {
    case .barred: return .refused("Something was done that cannot be taken back.")
    case .cancel: return .end(.cancel)
    case .cut(let index):
      notices = []
      if newestUndo(from: index) != nil {
        // A step that is cut short may have been done.
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

  /// An administrator drops the last answer and what follows it, whatever was done since.
  ///
  /// - Returns: whether there was one.
  package mutating func dropLast() -> Bool {
    guard let index = entries.lastIndex(where: { $0.ask?.answer != nil }) else { return false }
    cut(to: index)
    undoing = nil
    // Who orders this has it tried again.
    begun = [:]
    forgiveDeaths()
    return true
  }

  /// Drops an entry and those after it. Answers stay as suggestions, and it stays known how often open steps were begun.
  mutating func cut(to index: Int) {
    for entry in entries[index...] {
      if let answer = entry.ask?.answer?.suggestion { suggestions[entry.key] = answer }
      if let step = entry.step, !step.isLook, step.ending == nil, step.begun > 0 { begun[entry.key] = step.begun }
    }
    entries.removeSubrange(index...)
  }

  // MARK: Undoing

  /// The newest step that has to be undone before the log can be cut to an entry.
  package func newestUndo(from index: Int) -> Int? {
    guard index <= entries.count else { return nil }
    return entries[index...].lastIndex { $0.isEffect && $0.step?.undo != nil }
  }

  /// The person stays where they were: what was under way when they went back goes on.
  private mutating func goOnWithCutShort() -> EventVerdict {
    var form: Int?
    for index in entries.indices where entries[index].step?.isCutShort == true {
      entries[index].changeStep { step in
        step.isCutShort = false
        step.ending = step.isExhausted ? .failed(.unknown) : nil
      }
      // The first attempt has taken them.
      if let secrets = entries[index].step?.secrets, !secrets.isEmpty, entries[index].isOpen {
        form = form ?? self.form(of: secrets, before: index)
      }
    }
    guard let form else { return .rerun(.undoFailed) }
    let failed = notices
    defer { notices = failed + notices }
    return askAgain(form)
  }

  /// The newest step was undone, or could not be.
  ///
  /// - Parameter failure: why it could not be undone; nil if it was.
  /// - Returns: what comes of it.
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
