import Forms

extension ScriptLog {
  /// Gives each open step that has no work yet, and the undo that is due, a piece of work.
  ///
  /// - Returns: what is to be begun.
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

  /// The work of a step begins.
  ///
  /// - Parameters:
  ///   - index: the index of the step's entry.
  ///   - attempt: how often it was begun, with this time; nil for once more.
  /// - Returns: the step, with how often it was begun; nil if it must not be done again: then it has ended.
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

  /// A piece of work has ended.
  ///
  /// - Parameters:
  ///   - id: the piece of work.
  ///   - ending: what it has come to.
  /// - Returns: what comes of it.
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

  /// A step that begins again needs secrets that nobody has any more.
  ///
  /// - Parameter index: the index of the step's entry.
  /// - Returns: what comes of it.
  package mutating func lacksSecrets(_ index: Int) -> EventVerdict {
    guard let step = entries[safe: index]?.step else { return .nothing }
    if let form = form(of: step.secrets, before: index) { return askAgain(form) }
    // The script waits for this step: it has to hear of something.
    entries[index].changeStep { $0.ending = .failed(.secretSpent) }
    return .goOn(entry: index)
  }

  /// A piece of work was cut short: its process has died, or this program was started again.
  ///
  /// - Parameters:
  ///   - id: the piece of work.
  ///   - isDeath: whether the script's process has ended by itself, as it may do again.
  /// - Returns: what comes of it.
  package mutating func workWasInterrupted(_ id: String, isDeath: Bool = false) -> EventVerdict {
    guard let index = entries.lastIndex(where: { $0.step?.work == id }), let step = entries[index].step else { return .nothing }
    entries[index].changeStep { step in
      step.work = nil
      if isDeath { step.deaths += 1 }
    }
    interruptOthers()
    guard step.ending == nil, step.attempts > 0 else { return .rerun(.interrupted) }
    if step.isExhausted {
      entries[index].changeStep { $0.ending = .failed(.unknown) }
      suggestions = [:]
    } else if !step.secrets.isEmpty, let form = form(of: step.secrets, before: index) {
      return askAgain(form)
    }
    return .rerun(.interrupted)
  }

  /// The run of a step that was cut short is replaced, and with it all that is done in it.
  private mutating func interruptOthers() {
    guard undoing == nil else { return }
    for index in entries.indices where entries[index].isOpen && entries[index].step?.work != nil {
      entries[index].changeStep { step in
        step.work = nil
        if step.isExhausted { step.ending = .failed(.unknown) }
      }
    }
  }

  /// The secrets that the next step may take.
  package var unspentSecrets: Set<String> {
    let start = entries.lastIndex { $0.step?.isLook == false }.map { $0 + 1 } ?? 0
    return Set(entries[start...].flatMap { $0.ask?.secrets ?? [] })
  }

  /// The first question since the step before that has brought one of these secrets.
  func form(of names: [String], before index: Int) -> Int? {
    let start = entries[..<index].lastIndex { $0.step?.isLook == false }.map { $0 + 1 } ?? 0
    return entries[start..<index].firstIndex { !Set($0.ask?.secrets ?? []).isDisjoint(with: names) }
  }

  /// Secrets are gone that were kept for a step.
  ///
  /// - Parameter names: the names.
  /// - Returns: what comes of it.
  package mutating func secretsAreGone(_ names: [String]) -> EventVerdict {
    for (index, entry) in entries.enumerated() {
      // A step that was begun has its secrets.
      guard let step = entry.step, step.ending == nil, step.attempts == 0, !Set(step.secrets).isDisjoint(with: names),
        let form = form(of: step.secrets, before: index)
      else { continue }
      return askAgain(form)
    }
    guard !unspentSecrets.isDisjoint(with: names), let form = form(of: names, before: entries.count) else { return .nothing }
    return askAgain(form)
  }

  mutating func askAgain(_ form: Int) -> EventVerdict {
    cut(to: form)
    notices = [.secretLost]
    return .rerun(.secretLost)
  }
}

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
