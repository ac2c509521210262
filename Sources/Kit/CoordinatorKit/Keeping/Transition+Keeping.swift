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
  /// - Parameter moment: when the alarm went off.
  /// - Returns: the timer and its coordinator, or nil if no timer is due.
  mutating func takeDueTimer(at moment: Moment) -> (timer: TimerRecord, path: CoordinatorPath)? {
    guard let (timer, path) = after.dueTimer(at: moment) else { return nil }
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
    // The user has typed it again before the coordinator was told.
    after.coordinators[path]?.belongings.lostSecrets.remove(name)
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

  /// Remembers what a form held when it was sent, without secrets, for as long as its screen is there.
  mutating func holdSent(_ values: [String: JSONValue], of screen: ShownScreen) {
    changeForms(of: screen.coordinator) { belongings in
      belongings.sent[screen.id] = values
      belongings.forms[screen.content.name] = nil
    }
  }

  /// Remembers what the forms held that the user is leaving by Back, before they are removed (rule 5).
  mutating func holdForms(leftBy screen: ShownScreen) {
    guard let index = window.screens.lastIndex(where: { $0.id == screen.id }) else { return }
    for left in window.screens[index...] where left.content.form != nil {
      let sent = after.coordinators[left.coordinator]?.belongings.sent[left.id]
      guard let values = left.draft.isEmpty ? sent : left.draft, !values.isEmpty else { continue }
      changeForms(of: left.coordinator) { $0.forms[left.content.name] = values }
    }
  }

  /// Forgets what the form of a screen held when it was sent, because the screen is gone.
  mutating func forgetSent(_ screen: ShownScreen) {
    guard screen.content.form != nil, after.coordinators[screen.coordinator]?.belongings.sent[screen.id] != nil else { return }
    changeForms(of: screen.coordinator) { $0.sent[screen.id] = nil }
  }

  /// Shows what the form on top held when it was sent, because the user went back to it.
  mutating func restoreForm() {
    guard let top = window.top, let form = top.content.form, top.draft.isEmpty else { return }
    guard let values = after.coordinators[top.coordinator]?.belongings.sent[top.id] else { return }
    keep(draft: form.known(values), on: top.id)
  }

  /// Returns what a form that is about to be shown held when the user went back from it.
  func heldValues(of content: Screen, of path: CoordinatorPath) -> [String: JSONValue]? {
    guard let form = content.form, let values = after.coordinators[path]?.belongings.forms[content.name] else { return nil }
    return form.known(values)
  }

  /// Changes what is remembered of a coordinator's forms. What does not fit is not remembered, because it is only a
  /// convenience.
  private mutating func changeForms(of path: CoordinatorPath, _ change: (inout Belongings) -> Void) {
    guard let old = after.coordinators[path]?.belongings else { return }
    var belongings = old
    change(&belongings)
    guard belongings.formsSize <= max(limits.maxDraftSize, old.formsSize) else { return }
    after.coordinators[path]?.belongings = belongings
    touched.insert(path)
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
