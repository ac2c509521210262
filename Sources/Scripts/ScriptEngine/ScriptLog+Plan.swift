import CoordinatorKit
import Forms
import Platform

/// The screens of a run, which only the script can describe.
package struct RunScreens: Sendable, Hashable {
  /// The questions that the run has asked, by key.
  package var questions: [String: Question] = [:]

  /// Creates the screens of a run that has not asked anything.
  package init() {}
}

extension ScriptLog {
  /// Returns the decision by which the daemon's state comes to follow this log.
  ///
  /// - Parameters:
  ///   - old: the previous log; nil at the start.
  ///   - over: the piece of work or the timer that the event has ended.
  ///   - started: the work that begins.
  ///   - shown: the keys of the current screens.
  ///   - children: the paths of running children by entry key.
  ///   - screens: the questions of the run.
  ///   - title: the title of the flow, for the screen that is shown while a script works.
  /// - Returns: the decision.
  package func decision(
    from old: ScriptLog?, over: String? = nil, starting started: [StartedWork], shown: [String], children: [Child] = [],
    screens: RunScreens, title: String
  ) -> FlowDecision {
    var decision = FlowDecision(state: text)
    decision.operations += childOperations(from: old, children)
    // Work reports its progress on the screen that is on top when it begins.
    show(in: &decision, shown, screens, title)
    decision.operations += workOperations(from: old, over, starting: started)
    decision.operations += timerOperations(from: old, over)
    return decision
  }

  // MARK: Work, timers, children

  private var work: Set<String> { Set(entries.compactMap { $0.step?.work } + [running].compactMap(\.self)) }

  private func workOperations(
    from old: ScriptLog?, _ over: String?, starting started: [StartedWork]
  ) -> [FlowDecision.Operation] {
    let gone = (old?.work ?? []).subtracting(work).subtracting([over].compactMap(\.self))
    var operations = gone.sorted().map { FlowDecision.Operation.cancelWork($0) }
    for work in started {
      let step = work.kind == .step ? entries[safe: work.entry]?.step : nil
      let names = step == nil ? [] : secretsOfForms(for: work.entry)
      // A step that is retried needs them again.
      let isLast = step?.mostAttempts.map { $0 <= step?.attempts ?? 0 } ?? true
      operations.append(
        .startWork(
          ProvidedWork(id: work.id, argument: WorkArgument(entry: work.entry, kind: work.kind).text),
          secrets: Dictionary(uniqueKeysWithValues: Set(names).map { ($0, FlowDecision.keptPrefix + $0) }), taking: isLast))
    }
    return operations
  }

  private var timers: [String: TimerEntry] {
    var timers: [String: TimerEntry] = [:]
    for entry in entries where entry.isOpen {
      if let timer = entry.timer { timers[entry.key] = timer }
      if let ask = entry.ask, let due = ask.due {
        timers[Self.timeoutPrefix + entry.key] = TimerEntry(due: due, duration: ask.duration)
      }
    }
    return timers
  }

  private func timerOperations(from old: ScriptLog?, _ over: String?) -> [FlowDecision.Operation] {
    let (before, after) = (old?.timers ?? [:], timers)
    let gone = before.keys.filter { after[$0] == nil && $0 != over }.sorted()
    let new = after.filter { before[$0.key] != $0.value }.sorted { $0.key < $1.key }
    var operations = gone.map { FlowDecision.Operation.cancelTimer(key: $0) }
    for (key, timer) in new {
      operations.append(.startTimer(key: key, at: Timestamp(microseconds: timer.due), after: timer.duration))
    }
    return operations
  }

  private func childOperations(from old: ScriptLog?, _ children: [Child]) -> [FlowDecision.Operation] {
    // One after the other, even if the script starts several: only one question is open at a time.
    func open(_ log: ScriptLog?) -> [(key: String, child: ChildEntry)] {
      let first = log?.entries.first { $0.isOpen && $0.child != nil }
      return first.flatMap { entry in entry.child.map { [(entry.key, $0)] } } ?? []
    }
    func isSame(_ one: (key: String, child: ChildEntry), _ key: String, _ child: ChildEntry?) -> Bool {
      key == one.key && child?.flow == one.child.flow && child?.input == one.child.input
    }
    let (before, now) = (open(old), open(self))
    let gone = before.filter { one in !entries.contains { isSame(one, $0.key, $0.child) } }
    let new = now.filter { one in !before.contains { isSame(one, $0.key, $0.child) } }
    var running = children
    let cancelled = gone.compactMap { one -> String? in
      let index =
        running.firstIndex { $0.flow == one.child.flow && $0.input == one.child.input }
        ?? running.firstIndex { $0.flow == one.child.flow }
      return index.map { running.remove(at: $0).path.description }
    }
    return cancelled.map { .cancelChild($0) }
      + new.map { .startChild(flow: $0.child.flow, input: $0.child.input, secrets: [:], .navigation) }
  }

  // MARK: Screens

  private func show(in decision: inout FlowDecision, _ shown: [String], _ screens: RunScreens, _ title: String) {
    var wanted = self.screens(over: shown) ?? shown
    // A run that has not reached a question cannot describe its screen.
    if let top = wanted.last, top != Self.workingKey, screens.questions[top] == nil, !shown.contains(top) || busyText != nil {
      wanted = wanted.filter(shown.contains) + [Self.workingKey]
    }
    let common = zip(shown, wanted).prefix { $0 == $1 }.count
    guard let top = wanted.last else { return }
    if common < shown.count, common == wanted.count - 1, common == shown.count - 1 {
      decision.operations.append(.replace(with: top, animated: true))
    } else {
      if common < shown.count { decision.operations.append(.dismiss(key: shown[common], animated: true)) }
      if common < wanted.count { decision.operations.append(.present(key: top, as: nil, animated: true)) }
    }
    decision.screens[top] = screen(top, screens, title)
  }

  /// The key of the current question, answered or not; nil if there was none.
  package var shownQuestion: String? { lastAsk.map { entries[$0].key } }

  /// Returns whether the current question accepts an answer, as far as is known.
  package func accepts(
    _ event: String, _ payload: [String: JSONValue], _ secrets: [String], _ screens: RunScreens
  ) -> Bool {
    guard let key = shownQuestion, let question = screens.questions[key] else { return true }
    var all = payload
    for secret in secrets { all[secret] = ["secret": true] }
    return question.accepts(.event(event, all))
  }

  /// Returns the values of a form that are suggested; nil if there are none.
  package func suggestedValues(_ key: String, _ screens: RunScreens) -> JSONValue? {
    guard let question = screens.questions[key], let answer = keptAnswer(to: question, key),
      let screen = question.suggesting(answer), screen.kind == .form, !screen.values.isEmpty
    else { return nil }
    return .object(screen.values)
  }

  /// Returns the answer with which an open question begins: one that was dropped when the user went back, or the one that the
  /// script has just rejected, by asking again under the same name with an error; nil if there is none.
  private func keptAnswer(to question: Question, _ key: String) -> RecordedAnswer? {
    if let dropped = suggestions[key] { return dropped }
    guard question.reportsError, let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
    let name = entries[index].name
    return entries[..<index].last { $0.ask != nil && $0.name == name }?.ask?.answer?.suggestion
  }

  /// Returns a screen with its current content; nil if the run has not asked this question.
  package func shown(_ key: String, _ screens: RunScreens) -> DescribedScreen? { screen(key, screens, "") }

  private func screen(_ key: String, _ screens: RunScreens, _ title: String) -> DescribedScreen? {
    guard key != Self.workingKey else { return DescribedScreen(workScreen(screens, title), back: allowsBack) }
    guard let question = screens.questions[key], let entry = entries.last(where: { $0.key == key }),
      var screen = entry.isOpen ? question.suggesting(keptAnswer(to: question, key)) : question.screen
    else { return nil }
    // The daemon shows an answered question again, from Change on a review, before it asks the script.
    if !entry.isOpen, let answer = entry.ask?.answer?.suggestion { screen = question.suggesting(answer) ?? screen }
    screen.name = entry.name
    if question.isReview { screen.review = review(before: key, screens) }
    screen.messages = (key == shownQuestion ? notices : []).map { $0.message(in: Translation.current) } + screen.messages
    if busyText != nil { screen = screen.answered }
    if let due = entry.ask?.due, entry.isOpen { screen.until = Timestamp(microseconds: due) }
    return DescribedScreen(screen.withTranslatedDefaults, back: allowsBack)
  }
}

/// The screen of a step or a look.
extension ScriptLog {
  /// The action that stops the work under way.
  package static let stopAction = "stop"

  /// Whether the work under way has its own screen: the script describes it, or the user may stop it.
  private var isWorkShown: Bool {
    undoing == nil && entries.contains { $0.isOpen && $0.step.map { !$0.busy.isEmpty || $0.isStoppable } ?? false }
  }

  /// Returns the screen of the work under way: its text is the heading, what it reports is the progress, and the flow can be
  /// cancelled where the question before it allows that.
  private func workScreen(_ screens: RunScreens, _ title: String) -> Screen {
    let steps = entries.compactMap { $0.isOpen ? $0.step : nil }
    let isStopping = steps.contains(where: \.isStopped)
    let text = entries.last { $0.isOpen && $0.step?.busy.isEmpty == false }?.step?.busy
    var actions: [Action] = []
    if undoing == nil, steps.contains(where: \.isStoppable) {
      actions.append(Action(Self.stopAction, isStopping ? "Stop at once" : "Stop"))
    }
    let question = shownQuestion.flatMap { screens.questions[$0]?.screen }
    actions += question?.withTranslatedDefaults.cancelActions.filter { $0.id != Self.stopAction || actions.isEmpty } ?? []
    return .progress(
      "working", title: Text(verbatim: text ?? title), progress: Progress(text: isStopping ? "Stopping…" : nil), actions: actions)
  }

  /// Adds the screen of the work under way to those of the questions. Work without a description keeps the question before it,
  /// unless Back would then end the flow, because it is the only screen.
  private func working(over keys: [String]) -> [String] {
    let isWorking = running != nil || entries.contains { $0.isOpen && $0.step != nil }
    let isNeeded = keys.count == 1 && isWorking && undoing == nil && allowsBack
    return isWorkShown || isNeeded ? keys + [Self.workingKey] : keys
  }
}

extension Screen {
  /// The actions that cancel the flow.
  fileprivate var cancelActions: [Action] { actions.filter { $0.role == .cancel } }

  /// The screen of an answered question while the script works: all that it still offers is to cancel the flow.
  fileprivate var answered: Screen {
    var screen = busy()
    (screen.actions, screen.defaultChoice) = (cancelActions, nil)
    if kind == .menu || kind == .list {
      (screen.kind, screen.items, screen.choosing, screen.suggested) = (.progress, nil, nil, nil)
    }
    return screen
  }
}

/// The argument of a piece of work: its kind, and the entry that it is about.
package struct WorkArgument: Sendable, Hashable {
  package var entry: Int
  package var kind: WorkKind

  /// Creates an argument.
  package init(entry: Int, kind: WorkKind) { (self.entry, self.kind) = (entry, kind) }

  /// Reads an argument; nil if it is not one.
  package init?(_ text: String) {
    let parts = text.bytes.split(separator: " ")
    guard parts.count == 2, let kind = WorkKind(rawValue: String(parts[0])), let entry = Int(parts[1]) else { return nil }
    self.init(entry: entry, kind: kind)
  }

  /// The argument as text.
  package var text: String { "\(kind.rawValue) \(entry)" }
}

/// A piece of work that begins.
package struct StartedWork: Sendable, Hashable {
  package let id: String
  package let kind: WorkKind
  /// The index of the entry that it is about.
  package let entry: Int

  /// Creates a piece of work.
  package init(id: String, kind: WorkKind, entry: Int) { (self.id, self.kind, self.entry) = (id, kind, entry) }
}

/// The screens that follow from the log.
extension ScriptLog {
  /// The key of the screen that is shown while a script works that has not asked a question yet.
  static let workingKey = "#working"

  /// Returns the keys of the screens to show, bottom first.
  ///
  /// - Parameter shown: the keys of the current screens. No screen can be added below that of a new question: the earlier ones
  ///   are gone, and only the script can describe them.
  /// - Returns: the keys; nil if the current screens stay.
  func screens(over shown: [String]) -> [String]? {
    guard let last = lastAsk else { return entries.contains(where: \.isOpen) && shown.isEmpty ? [Self.workingKey] : nil }
    // A question that was answered before a step stays until the next question replaces it.
    let isAsking = entries[last].isOpen
    guard isAsking || !entries[last...].contains(where: \.isEffect) || shown.isEmpty else {
      return working(over: shown.filter { $0 != Self.workingKey })
    }
    let start = entries[..<last].lastIndex(where: \.isBarrier).map { $0 + 1 } ?? 0
    var keys: [String] = []
    for entry in entries[start...last] {
      guard let ask = entry.ask else { continue }
      if ask.corrects, !keys.isEmpty { keys.removeLast() }
      keys.append(entry.key)
    }
    guard let top = keys.popLast() else { return nil }
    keys = keys.filter(shown.contains) + [top]
    return isAsking ? keys : working(over: keys)
  }

  /// The text of the topmost screen about the work under way; nil if the script waits for the user.
  var busyText: String? {
    guard !(lastAsk.map { entries[$0].isOpen } ?? false) || undoing != nil else { return nil }
    if undoing != nil { return "" }
    return entries.last { $0.isOpen && $0.step != nil }?.step?.busy
      ?? (entries.contains(where: \.isOpen) || running != nil ? "" : nil)
  }
}
