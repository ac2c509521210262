extension Transition {
  // MARK: Timers

  /// Starts a timer of a coordinator, in place of an equal one.
  mutating func startTimer(_ timer: TimerRecord, of path: CoordinatorPath) throws(Refusal) {
    guard isAlive(path) else { return }
    cancelTimer(timer.timer, of: path)
    let running = after.coordinators.values.reduce(0) { $0 + $1.belongings.timers.count }
    guard running < limits.maxTimers else { throw .limitExceeded("a tree must not have more than \(limits.maxTimers) timers") }
    after.coordinators[path]?.belongings.timers.append(timer)
    changesTimers = true
    touched.insert(path)
  }

  /// Removes a timer of a coordinator, if there is an equal one.
  mutating func cancelTimer(_ timer: some Hashable, of path: CoordinatorPath) {
    guard let index = after.coordinators[path]?.belongings.timers.firstIndex(where: { $0.isSame(as: timer) }) else { return }
    after.coordinators[path]?.belongings.timers.remove(at: index)
    changesTimers = true
    touched.insert(path)
  }

  /// Removes the timer that goes off first, if its time has come.
  ///
  /// - Returns: the timer and its coordinator, or nil if no timer is due.
  mutating func takeDueTimer() -> (timer: TimerRecord, path: CoordinatorPath)? {
    guard let (timer, path) = after.nextTimer, timer.due.microseconds <= now else { return nil }
    cancelTimer(timer.timer, of: path)
    return (timer, path)
  }

  // MARK: Secrets

  /// Keeps a copy of a secret.
  mutating func keep(_ secret: Secret, as name: String, of path: CoordinatorPath) {
    guard isAlive(path) else { return }
    forgetSecret(name, of: path)
    guard after.coordinators[path].map({ $0.belongings.secrets.count < limits.maxSecrets }) == true else {
      breach = breach ?? .limitExceeded("a coordinator must not keep more than \(limits.maxSecrets) secrets")
      return
    }
    after.coordinators[path]?.belongings.secrets[name] = Secret(copying: secret)
    touched.insert(path)
  }

  /// Removes a kept secret, which is wiped once the transition is stored.
  mutating func forgetSecret(_ name: String, of path: CoordinatorPath) {
    guard let secret = after.coordinators[path]?.belongings.secrets[name] else { return }
    after.coordinators[path]?.belongings.secrets[name] = nil
    wiped.append(secret)
    touched.insert(path)
  }

  /// Removes the names of the secrets that a restart took, because their coordinator is about to be told.
  mutating func takeLostSecrets(of path: CoordinatorPath) -> Set<String> {
    guard let names = after.coordinators[path]?.belongings.lostSecrets, !names.isEmpty else { return [] }
    after.coordinators[path]?.belongings.lostSecrets = []
    touched.insert(path)
    return names
  }

  // MARK: What forms held

  /// Remembers what a form held that was sent or that the user went back from (rule 5).
  ///
  /// What does not fit is not remembered, because it is only a convenience.
  mutating func hold(_ values: [String: JSONValue], of screen: ShownScreen, isSent: Bool) {
    let (path, name) = (screen.coordinator, screen.content.name)
    guard var belongings = after.coordinators[path]?.belongings else { return }
    guard !values.isEmpty || belongings.forms[name] != nil else { return }
    belongings.forms[name] = values.isEmpty ? nil : HeldForm(values: values, isSent: isSent)
    if belongings.formsSize > limits.maxDraftSize { belongings.forms[name] = nil }
    after.coordinators[path]?.belongings = belongings
    touched.insert(path)
  }

  /// Remembers what the forms held that the user is leaving by Back, before they are removed.
  mutating func holdForms(leftBy screen: ShownScreen) {
    guard let index = window.screens.lastIndex(where: { $0.id == screen.id }) else { return }
    for left in window.screens[index...] where left.content.form != nil {
      if !left.draft.isEmpty {
        hold(left.draft, of: left, isSent: false)
      } else if let held = after.coordinators[left.coordinator]?.belongings.forms[left.content.name] {
        hold(held.values, of: left, isSent: false)
      }
    }
  }

  /// Shows what the form on top held when it was sent, because the user went back to it.
  mutating func restoreForm() {
    guard let top = window.top, let form = top.content.form, top.draft.isEmpty else { return }
    guard let held = after.coordinators[top.coordinator]?.belongings.forms[top.content.name] else { return }
    keep(draft: form.known(held.values), on: top.id)
  }

  /// Returns what a form that is about to be shown held when the user went back from it.
  func heldValues(of content: Screen, of path: CoordinatorPath) -> [String: JSONValue]? {
    guard let form = content.form, let held = after.coordinators[path]?.belongings.forms[content.name] else { return nil }
    return held.isSent ? nil : form.known(held.values)
  }
}

extension Form {
  /// Returns those values that the form still asks for, without secrets.
  fileprivate func known(_ values: [String: JSONValue]) -> [String: JSONValue] {
    let secrets = schema.secretFields
    let names = Set(schema.fields.map(\.name))
    return values.filter { names.contains($0.key) && !secrets.contains($0.key) }
  }
}

extension TreeState {
  /// The timer that goes off first, with its coordinator.
  var nextTimer: (timer: TimerRecord, path: CoordinatorPath)? {
    var next: (timer: TimerRecord, path: CoordinatorPath)?
    for (path, record) in coordinators {
      for timer in record.belongings.timers {
        guard let known = next else {
          next = (timer, path)
          continue
        }
        if (timer.due, path.text) < (known.timer.due, known.path.text) { next = (timer, path) }
      }
    }
    return next
  }

  /// When the next timer of the tree goes off; nil if there is none.
  package var nextDue: Timestamp? { nextTimer?.timer.due }
}
