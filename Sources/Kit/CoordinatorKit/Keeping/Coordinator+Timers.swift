/// Timers, which survive restarts.
extension Coordinator {
  /// The time of the event that is being handled.
  public var now: Timestamp { Timestamp(microseconds: context.scope?.transition.now ?? 0) }

  /// Starts a timer, or restarts an equal one. ``timerFired(_:)`` is called when it fires.
  ///
  /// A timer is stored with the transition, and ends with its coordinator. A timer whose time passes while the daemon is not
  /// running fires when the daemon has started.
  ///
  /// The duration includes the time for which the machine sleeps, and is independent of changes to the clock. After the machine
  /// restarts, the wall clock determines the remaining time, which is never more than the whole duration.
  ///
  /// ```swift
  /// try startTimer(.offerEnds, after: .seconds(30))
  /// ```
  ///
  /// - Parameters:
  ///   - timer: a description of the timer. It is stored, so it must not contain a secret.
  ///   - duration: how long to wait; a negative one counts as zero.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too many timers.
  public func startTimer(_ timer: Timer, after duration: Duration) throws {
    try startTimer(timer, at: now + duration, after: duration.storableMicroseconds)
  }

  /// Starts a timer, or restarts an equal one, that fires when the wall clock shows a given time, even if the clock is set. For
  /// durations, use ``startTimer(_:after:)``.
  ///
  /// - Parameters:
  ///   - timer: a description of the timer. It is stored, so it must not contain a secret.
  ///   - time: the time at which the timer fires. If it has passed, the timer fires as soon as the transition is stored.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too many timers.
  public func startTimer(_ timer: Timer, at time: Timestamp) throws {
    try startTimer(timer, at: time, after: nil)
  }

  /// Starts a timer of a duration in microseconds, which ends at `time`; nil for a timer that follows the wall clock.
  private func startTimer(_ timer: Timer, at time: Timestamp, after duration: UInt64?) throws {
    try context.change { transition, path in
      let lapse = duration.map { Lapse($0, from: transition.elapsed) }
      try transition.startTimer(TimerRecord(timer: timer, due: time, lapse: lapse), of: path)
    }
    try context.record { _, _ in .startTimer(key: try StoredText.encode(timer), at: time, after: duration) }
  }

  /// Stops a timer.
  ///
  /// - Parameter timer: the description of a timer that is equal; without effect if there is none.
  public func cancelTimer(_ timer: Timer) {
    context.change { $0.cancelTimer(timer, of: $1) }
    context.record { _, _ in (try? StoredText.encode(timer)).map { .cancelTimer(key: $0) } }
  }

  /// Returns the time at which a timer fires, for example for ``Screen/countingDown(to:)``.
  ///
  /// - Parameter timer: the description of the timer.
  /// - Returns: the time, or nil if no equal timer has been started.
  public func due(_ timer: Timer) -> Timestamp? {
    guard let scope = context.scope else { return nil }
    return scope.transition.after.coordinators[scope.path]?.belongings.timers.first { $0.isSame(as: timer) }?.due
  }
}

extension Coordinator where Timer == Never {
  /// Never called, because there are no timers.
  public func timerFired(_ timer: Never) throws {}
}

extension Coordinator {
  /// Returns the answers that the user has given before this coordinator's top screen: the values of the forms below it in the
  /// window, of this coordinator and of others, when they were sent. Secrets are omitted.
  ///
  /// Call this method in ``screen(for:)``, for a screen that lets the user check the answers. When the user changes an answer,
  /// its form is shown again with its values; everything above it is dismissed. No handler is called for that.
  ///
  /// ```swift
  /// case .summary:
  ///   .message("summary", title: "Check your answers", actions: [.primary(Do.apply, "Apply")]).reviewing(review())
  /// ```
  ///
  /// - Returns: the answers, in the order in which they were given.
  public func review() -> [ReviewRow] {
    guard let scope = context.scope else { return [] }
    // Only the daemon knows the answers of other flows, and inserts them.
    guard scope.transition.recording == nil else { return [.forms] }
    scope.transition.reviewers.insert(scope.path)
    return scope.transition.review(below: scope.path)
  }
}

extension Transition {
  /// Returns the values of the forms below a coordinator's topmost screen.
  fileprivate func review(below path: CoordinatorPath) -> [ReviewRow] {
    guard let top = window.topScreen(of: path)?.id else { return [] }
    var rows: [ReviewRow] = []
    for screen in window.screens.prefix(while: { $0.id != top }) {
      guard let form = screen.content.form,
        let sent = after.coordinators[screen.coordinator]?.belongings.sent[screen.id]
      else { continue }
      let shown = form.schema.shownFields(in: sent)
      for field in form.fields where shown.contains(field.name) {
        guard let value = field.reviewed(sent[field.name]) else { continue }
        rows.append(ReviewRow(Text(verbatim: field.schema.title ?? field.name), Text(verbatim: value), on: screen.id))
      }
    }
    return rows
  }

  /// Shows the form of an answer that the user changes, with its values.
  ///
  /// - Throws: ``Refusal/notDismissable(_:)`` if the user cannot go back to that form.
  mutating func change(answerOn payload: Payload, reviewedOn screen: ShownScreen) throws(Refusal) {
    guard let number = payload.integer("id"), number > 0 else { return }
    let target = ScreenID(UInt64(number))
    guard let owner = window[target]?.coordinator else { return }
    for above in window.screens.reversed().prefix(while: { $0.id != target }) where !above.back {
      throw .notDismissable("the answer cannot be changed any more: there is no way back from the screen \(above.content.name)")
    }
    if let index = window.screens.lastIndex(where: { $0.id == target }), index + 1 < window.screens.count {
      holdForms(leftBy: window.screens[index + 1])
    }
    dismiss(above: target, by: owner, animated: true)
    restoreForm()
    touched.insert(owner)
  }
}

extension Field {
  /// Returns the value of the field as text for users; nil for a secret, and for an empty field.
  fileprivate func reviewed(_ value: JSONValue?) -> String? {
    if schema.isSecret { return "••••••" }
    guard let value else { return nil }
    return schema.reviewed(value)
  }
}

extension Schema {
  fileprivate func reviewed(_ value: JSONValue) -> String {
    switch (rule, value) {
    case (.choice(let choices), _): choices.first { $0.value == value }?.title ?? (value.string ?? value.canonicalText)
    case (.boolean, .boolean(let isOn)): isOn ? Text("yes").string : Text("no").string
    case (.list(let list), .array(let entries)): entries.map { list.items.reviewed($0) }.joined(separator: "\n")
    case (.object(let fields), .object(let values)):
      fields.compactMap { field in values[field.name].map { field.schema.reviewed($0) } }.joined(separator: ", ")
    case (_, .string(let text)): text
    default: value.canonicalText
    }
  }
}

/// A timer that has not fired.
package struct TimerRecord: Sendable {
  /// The coordinator's own description of the timer.
  package let timer: any Codable & Hashable & Sendable
  /// The time at which the timer fires; for a duration, its end by the wall clock, if the clock is not set.
  package let due: Timestamp
  /// The duration after which the timer fires; nil for a timer that follows the wall clock.
  package var lapse: Lapse?

  func isSame(as other: some Hashable) -> Bool { AnyHashable(timer) == AnyHashable(other) }

  /// Returns whether the timer must fire.
  package func isDue(at moment: Moment) -> Bool {
    lapse.map { $0.isOver(at: moment.elapsed) } ?? (due.microseconds <= moment.wall)
  }
}

/// The times at which the next timers of a tree fire.
package struct NextTimers: Sendable, Hashable {
  /// The next time by the wall clock, in microseconds since 1970; nil for none.
  package var wall: UInt64?
  /// The next time by the monotonic clock, in microseconds; nil for none.
  package var elapsed: UInt64?

  /// Creates the times of a tree without timers.
  package init() {}

  fileprivate mutating func add(_ timer: TimerRecord) {
    if let end = timer.lapse?.end {
      elapsed = min(elapsed ?? end, end)
    } else {
      wall = min(wall ?? .max, timer.due.microseconds)
    }
  }
}

extension TreeState {
  /// The times at which the next timers of the tree fire, except for those of held coordinators.
  package var nextTimers: NextTimers {
    var next = NextTimers()
    for record in coordinators.values where record.hold == nil {
      for timer in record.belongings.timers { next.add(timer) }
    }
    return next
  }

  /// The time at which the next timer of the tree fires if the clock is not set; nil if there is none.
  package var nextDue: Timestamp? { firstTimer { _ in true }?.timer.due }

  /// Returns the timer that fires first, with its coordinator, if its time has come. Ignores those of held coordinators.
  func dueTimer(at moment: Moment) -> (timer: TimerRecord, path: CoordinatorPath)? {
    firstTimer { $0.isDue(at: moment) }
  }

  private func firstTimer(where isWanted: (TimerRecord) -> Bool) -> (timer: TimerRecord, path: CoordinatorPath)? {
    var first: (timer: TimerRecord, path: CoordinatorPath)?
    for (path, record) in coordinators where record.hold == nil {
      for timer in record.belongings.timers where isWanted(timer) {
        guard let known = first else {
          first = (timer, path)
          continue
        }
        if (timer.due, path.text) < (known.timer.due, known.path.text) { first = (timer, path) }
      }
    }
    return first
  }
}
