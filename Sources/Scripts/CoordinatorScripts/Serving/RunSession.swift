import CoordinatorKit
import Forms
import ScriptEngine

/// A run of a script during one decision.
struct RunSession {
  /// The maximum number of operations that may overtake another one.
  private static let mostEarly = 16

  private let script: Script
  private let question: FlowQuestion
  private let runs: ScriptRuns
  private(set) var log: ScriptLog
  private(set) var run: (any ScriptRun)?
  private(set) var screens: RunScreens
  /// Whether the run was started for this decision, rather than kept from an earlier one.
  private var isNew: Bool
  /// Whether the script has not reached its next operation in time.
  private(set) var isSlow = false
  /// Operations that have overtaken others: two processes of one script may send operations at the same time.
  private var early: [Int: ScriptOperation] = [:]
  /// How the flow ends because its log has become too long.
  private var tooLong: ScriptEnd?

  /// The language that the script has set during this decision; nil if it has set none.
  private var chosen: LanguageTag?

  /// The name of the language in which the script asks; nil for none.
  var language: String? { chosen?.description ?? question.context.language }

  /// Sets the language of the tree, if the script has changed it.
  var languageOperations: [FlowDecision.Operation] {
    language == question.context.language ? [] : [chosen.map { .setLanguage($0.description) }].compactMap(\.self)
  }

  /// Whether work already waits for the run.
  private let wasSlow: Bool

  init(
    _ script: Script, _ question: FlowQuestion, _ runs: ScriptRuns, _ log: ScriptLog, _ live: LiveRun?, wasSlow: Bool
  ) {
    (self.script, self.question, self.runs, self.log, self.wasSlow) = (script, question, runs, log, wasSlow)
    (run, screens, isNew) = (live?.run, live?.screens ?? RunScreens(), live == nil)
  }

  /// Returns the session without its run, which has failed, and with a slow run as the next one.
  ///
  /// - Parameter log: the log from which the next run starts.
  /// - Returns: the session.
  func failed(with log: ScriptLog) -> RunSession {
    var session = self
    (session.log, session.run, session.isSlow) = (log, nil, true)
    return session
  }

  /// Lets the script continue until it waits or ends.
  ///
  /// - Parameter deadline: when the script counts as slow.
  /// - Returns: the end of the script; nil if it waits.
  /// - Throws: ``ScriptCrash`` or ``HeldScript``.
  mutating func advance(until deadline: ContinuousClock.Instant) async throws -> ScriptEnd? {
    log.running = nil
    while true {
      guard deadline > .now else {
        isSlow = true
        return nil
      }
      if self.run == nil, await runs.starter.pauses.isLong(question.instance.name, of: script, until: deadline) {
        isSlow = true
        return nil
      }
      let run = try self.run ?? runs.starter.start(order)
      self.run = run
      guard let event = await run.inbox.next(until: deadline) else {
        isSlow = true
        return nil
      }
      // Until the step is undone, the progress and the end of the script do not matter.
      if log.undoing != nil, event.isEnd { return nil }
      switch event {
      case .message(.operation(let operation, let entry)):
        guard entry <= log.entries.count || early.count >= Self.mostEarly else {
          early[entry] = operation
          continue
        }
        var isWaiting = try take(operation, at: entry, run)
        while let next = early.removeValue(forKey: log.entries.count) {
          isWaiting = try take(next, at: log.entries.count, run)
        }
        if isWaiting { return tooLong }
      case .message(.end(let end, let entry)):
        switch log.take(end, at: entry, now: question.context.now) {
        case .ended: return end
        case .held(let misfit): throw held(misfit)
        case .again:
          run.stop(.finished)
          (self.run, screens, isNew) = (nil, RunScreens(), true)
          try slowDown()
        }
      case .message(.crash(let crash)): throw crash
      case .ended(nil, let operations, _):
        if case .held(let misfit) = log.take(.finish([:]), at: operations, now: question.context.now) { throw held(misfit) }
        return .finish([:])
      case .ended(let problem?, _, let isOwn):
        // A signal has ended the waiting process, or another run in the same process has: a new run gets as far.
        guard !isOwn || !isNew && !wasSlow else { throw ScriptCrash(problem) }
        (self.run, screens, isNew) = (nil, RunScreens(), true)
      case .message(.done), .message(.failed), .message(.progress): break
      }
    }
  }

  /// Reports unknown keys to the author: they may be misspelled.
  private func note(_ keys: [UnknownKey], of operation: ScriptOperation) {
    let place = operation.place.isEmpty ? "" : " (\(operation.place))"
    for key in keys { runs.starter.report(question.instance.path.text, "the question \(operation.name) has \(key)\(place)") }
  }

  /// Handles an operation; returns whether the script waits for an event.
  private mutating func take(_ operation: ScriptOperation, at entry: Int, _ run: any ScriptRun) throws -> Bool {
    if script.trust == .root, case .step(let step) = operation.kind, step.undo?.arguments != nil {
      throw ScriptCrash(Undo.refusalAsRoot, at: operation.place)
    }
    let source = runs.starter.source(now: question.context.now, entry: entry)
    let isFirst = entry >= log.entries.count
    let operation = operation.offeringLanguages(
      of: runs.translations, speaking: language.flatMap { try? LanguageTag($0) })
    let reply = log.take(operation, at: entry, from: source)
    if case .ask(let asked) = operation.kind, log.entries.indices.contains(entry) {
      screens.questions[log.entries[entry].key] = asked
      log.describeAnswer(at: entry, to: asked)
      // The keys of an answered question were reported when it was shown.
      if isFirst { note(asked.unknownKeys, of: operation) }
      if log.entries[entry].isOpen { try asked.checkedScreen(operation.name, at: operation.place) }
    }
    switch reply {
    case .recorded:
      if let crash = log.unprintable(at: entry) { throw crash }
      run.tell(.recorded(log.entries[entry]), entry: entry)
    case .speaks(let tag): speak(tag, instead: run, at: entry)
    case .patched(let isPatched): run.tell(.patched(isPatched), entry: entry)
    case .waiting where log.undoing != nil: return true
    // A process sends concurrent operations before this one. A host would have marked the operation as followed.
    case .waiting where script.kind == .processes: return !log.entries.dropFirst(entry + 1).contains(where: \.isOpen)
    case .waiting: break
    case .held(let misfit): throw held(misfit)
    case .tooLong:
      tooLong = .broken(
        Breakdown("too-long", "the log of this script has \(ScriptLog.maxEntries) entries; it should begin anew"))
      return true
    case .mistake(let crash): throw crash
    }
    return !operation.isFollowed && log.waits(at: entry)
  }

  /// Goes on in a language: in a new run, because a process translates its texts to one language.
  private mutating func speak(_ tag: LanguageTag, instead run: any ScriptRun, at entry: Int) {
    let before = language
    chosen = tag
    guard language != before else { return _ = run.tell(.recorded(log.entries[entry]), entry: entry) }
    run.stop(.evicted)
    (self.run, screens, isNew, early) = (nil, RunScreens(), true, [:])
  }

  /// Slows down a script that starts over again and again, so that it does not keep the machine busy.
  private func slowDown() throws(HeldScript) {
    guard !log.isCircling else { throw HeldScript(description: "\(script.file): \(ScriptLog.circling)") }
    guard let pause = log.pauseBeforeRound, !runs.starter.isPlaying else { return }
    if log.isFirstPause {
      let reason = "\(script.file): \(ScriptLog.circling). It is slowed down, and held later."
      runs.starter.failed(question.instance.path.description, [reason])
    }
    runs.starter.pauses.set(question.instance.name, until: .now + pause)
  }

  private func held(_ misfit: Misfit) -> HeldScript {
    HeldScript(description: misfit.text(script: script.file, tree: String(question.instance.path.root)))
  }

  private var order: RunOrder {
    RunOrder(script: script, instance: question.instance, log: log, language: language)
  }
}

/// A script that does not fit its log, which contains an operation that cannot be undone.
struct HeldScript: Error, CustomStringConvertible {
  let description: String
}
