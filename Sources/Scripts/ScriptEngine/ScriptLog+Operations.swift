import Forms

extension ScriptLog {
  /// Handles an operation of the script.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - index: the index of its entry: the number of the run's operations before it.
  ///   - source: provides the time and random values.
  /// - Returns: the reply.
  package mutating func take(_ operation: ScriptOperation, at index: Int, from source: ScriptSource) -> OperationReply {
    guard index <= entries.count else {
      return .mistake(
        ScriptCrash("entry \(index) of the log was skipped: after it come \(entries.count)", at: operation.place))
    }
    if case .patched = operation.kind { return takePatched(operation, at: index) }
    if case .ask = operation.kind, operation.isFollowed || isFollowed(index - 1) {
      return .mistake(ScriptCrash("the question \(operation.name) is asked beside something else", at: operation.place))
    }
    if case .value(.language) = operation.kind,
      operation.isFollowed || isFollowed(index - 1) || entries.prefix(index).contains(where: \.isOpen)
    {
      return .mistake(ScriptCrash("the language is set beside something else", at: operation.place))
    }
    // While a step is being undone, the script does not continue; the next run sends the operation again.
    if let undoing, index == entries.count || newestUndo(from: undoing).map({ index > $0 }) ?? false { return .waiting }
    let key = key(of: operation.name, at: index)
    if index < entries.count {
      if let reply = compare(operation, key, at: index) { return reply }
      if let misfit = misfit(operation, key, at: index) { return .held(misfit) }
      cut(to: index)
    }
    guard entries.count < Self.maxEntries else { return .tooLong }
    if entries.isEmpty, rounds > 0 { roundStart = source.now }
    return append(operation, key, from: source)
  }

  private mutating func takePatched(_ operation: ScriptOperation, at index: Int) -> OperationReply {
    let key = key(of: operation.name, at: index)
    if index == entries.count {
      entries.append(LogEntry(key, .patch, at: operation.place))
      return .patched(true)
    }
    return .patched(entries[index].key == key && entries[index].body == .patch)
  }

  /// Returns the reply if the operation matches the recorded entry; nil if it does not fit.
  private mutating func compare(_ operation: ScriptOperation, _ key: String, at index: Int) -> OperationReply? {
    let entry = entries[index]
    guard entry.key == key else { return nil }
    switch (entry.body, operation.kind) {
    case (.ask(let ask), .ask(let question)):
      guard let answer = ask.answer else {
        entries[index] = LogEntry(
          key, .ask(updated(ask, to: question, operation.output)), at: operation.place, style: operation.output)
        return .waiting
      }
      guard ask.digest == question.digest && !question.digest.isEmpty || question.accepts(answer) else { return nil }
      entries[index].changeAsk { $0.digest = question.digest }
    case (.step(let step), .step(let request)):
      guard step.isLook == request.isLook else { return nil }
      if step.ending == nil {
        entries[index].place = operation.place
        entries[index].changeStep { $0.take(limitsOf: request) }
      }
    case (.value, .value), (.timer, .timer): break
    case (.child(var child), .child(let flow, _, let keys)):
      guard child.flow == flow else { return nil }
      child.keys = keys
      entries[index].body = .child(child)
    default: return nil
    }
    entries[index].style = operation.output
    entries[index].isFollowed = operation.isFollowed
    return entries[index].isOpen ? .waiting : .recorded
  }

  private func updated(_ ask: AskEntry, to question: Question, _ style: OutputStyle?) -> AskEntry {
    var ask = ask
    (ask.digest, ask.cancels, ask.fallback) = (question.digest, question.cancels, question.fallback)
    ask.form = style == .value || style == .assignments ? question.form : nil
    return ask
  }

  private func misfit(_ operation: ScriptOperation, _ key: String, at index: Int) -> Misfit? {
    misfit(operation.kind.word, key, at: index, operation.place)
  }

  func misfit(_ kind: String, _ key: String, at index: Int, _ place: String) -> Misfit? {
    guard let effect = entries[index...].first(where: \.isEffect) else { return nil }
    return Misfit(entry: index, recorded: entries[index], kind: kind, key: key, place: place, effect: effect)
  }

  private mutating func append(
    _ operation: ScriptOperation, _ key: String, from source: ScriptSource
  ) -> OperationReply {
    let body: LogEntry.Body
    switch operation.kind {
    case .ask(let question):
      var ask = updated(AskEntry(digest: question.digest), to: question, operation.output)
      ask.corrects = question.isCorrection && isRepetition(of: operation.name)
      let timeout = question.timeout.map { ScriptOperation.Due.seconds($0) }
      ask.due = timeout?.time(after: source.now)
      ask.duration = timeout?.duration
      body = .ask(ask)
    case .step(let request): body = .step(step(request, key))
    case .value(let kind): body = .value(Self.value(kind, from: source))
    case .child(let flow, let input, let keys): body = .child(ChildEntry(flow: flow, input: input, keys: keys))
    case .timer(let due): body = .timer(TimerEntry(due: due.time(after: source.now), duration: due.duration))
    case .patched: body = .patch
    }
    var entry = LogEntry(key, body, at: operation.place, style: operation.output)
    entry.isFollowed = operation.isFollowed
    entries.append(entry)
    if case .value(.language(let tag)) = operation.kind { return .speaks(tag) }
    return entry.isOpen ? .waiting : .recorded
  }

  /// Whether the last question has this name, and no operation with an effect has followed.
  private func isRepetition(of name: String) -> Bool {
    guard let last = lastAsk, entries[last].name == name else { return false }
    return entries[(last + 1)...].allSatisfy { entry in
      switch entry.body {
      case .value, .patch: true
      case .step: !entry.isEffect && !entry.isOpen
      case .ask, .child, .timer: false
      }
    }
  }

  private mutating func step(_ request: StepRequest, _ key: String) -> StepEntry {
    var step = StepEntry(isLook: request.isLook)
    (step.undo, step.isOnce, step.secrets, step.busy) = (request.undo, request.isOnce, request.secrets, request.busy)
    (step.mostAttempts, step.isStoppable) = (request.mostAttempts, request.isStoppable)
    step.isResultSecret = request.isResultSecret
    step.earlierAttempts = begun.removeValue(forKey: key) ?? 0
    if step.isExhausted { step.ending = .failed(.unknown) }
    guard !request.secrets.isEmpty else { return step }
    if step.ending == nil, !Set(request.secrets).isSubset(of: unspentSecrets) {
      step.ending = .failed(lack(of: request.secrets, before: entries.count))
    }
    return step
  }

  private static func value(_ kind: ScriptOperation.ValueKind, from source: ScriptSource) -> JSONValue {
    switch kind {
    case .now: JSONValue(Double(source.now) / 1e6)
    case .random: JSONValue(source.random())
    case .uuid: .string(source.uuid())
    case .language(let tag): .string(tag.bcp47)
    }
  }
}

extension ScriptOperation.Kind {
  /// The kind of the operation, as the protocol calls it.
  package var word: String {
    switch self {
    case .ask: "ask"
    case .step(let step): step.isLook ? "look" : "step"
    case .value: "value"
    case .child: "child"
    case .timer: "timer"
    case .patched: "patch"
    }
  }
}

/// The source of values that differ each time.
package struct ScriptSource: Sendable {
  /// The time, in microseconds since 1970.
  package var now: UInt64
  /// A number from 0 to 1.
  package var random: @Sendable () -> Double
  /// A UUID of version 4.
  package var uuid: @Sendable () -> String

  /// Creates a source.
  package init(
    now: UInt64, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, uuid: @escaping @Sendable () -> String
  ) {
    (self.now, self.random, self.uuid) = (now, random, uuid)
  }
}

extension LogEntry {
  /// The reply to a run when the operation has ended, without `run` and `entry`; empty if it has not. A run that has performed
  /// a step itself only receives the confirmation that it is recorded.
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

/// The reply to an operation.
package enum OperationReply: Sendable, Hashable {
  /// The entry is recorded: the script continues with it.
  case recorded
  /// The entry is recorded, and the flow tree is shown in this language from now on.
  case speaks(LanguageTag)
  /// Whether the log has a mark of that name. If not, no entry is made.
  case patched(Bool)
  /// The script waits.
  case waiting
  /// The operation does not fit the log, and a later effect cannot be undone: the flow is held.
  case held(Misfit)
  /// The log is too long for another entry.
  case tooLong
  /// The operation is invalid.
  case mistake(ScriptCrash)
}

/// An operation that does not fit the log.
package struct Misfit: Error, Sendable, Hashable {
  /// The index of the entry that does not fit.
  package var entry: Int
  /// The recorded entry.
  package var recorded: LogEntry
  /// The script's operation: its kind, its key, and its place.
  package var kind: String
  package var key: String
  package var place: String
  /// The effect at that place or after it.
  package var effect: LogEntry

  /// Returns a message about the misfit and the possible remedies, for the script's author.
  ///
  /// - Parameters:
  ///   - script: the name of the script's file.
  ///   - tree: the name of the flow tree.
  /// - Returns: the text, one line.
  package func text(script: String, tree: String) -> String {
    let place = place.isEmpty ? "" : " at \(place)"
    let old = recorded.place.isEmpty ? "" : " at \(recorded.place)"
    let done = effect == recorded ? "" : " Since then, \(effect.body.word) \"\(effect.key)\" was done."
    return "\(script) does not fit \(tree): recorded \(entry + 1). \(recorded.body.word) \"\(recorded.key)\"\(old);"
      + " now \(entry + 1). \(kind) \"\(key)\"\(place).\(done) A step cannot be undone by asking again."
      + " Undo the change, or let the script ask for patched(\"\(key)\") before the change;"
      + " then answer again, or if it is held: coordinatorctl provider retry \(tree); or dismiss it."
  }
}

extension LogEntry.Body {
  /// The kind of the operation, as the protocol calls it.
  package var word: String {
    switch self {
    case .ask: "ask"
    case .step(let step): step.isLook ? "look" : "step"
    case .value: "value"
    case .child: "child"
    case .timer: "timer"
    case .patch: "patch"
    }
  }
}

/// The reply to the end of a script.
package enum EndReply: Sendable, Hashable {
  /// The coordinator ends.
  case ended
  /// The script starts over.
  case again
  /// The script has skipped an operation that has an effect.
  case held(Misfit)
}
