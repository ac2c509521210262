extension Transition {
  // MARK: Timers

  /// Starts a timer of a coordinator, in place of an equal one.
  mutating func startTimer(_ timer: TimerRecord, of path: CoordinatorPath) throws(Refusal) {
    guard isAlive(path) else { return }
    cancelTimer(timer.timer, of: path)
    let running = after.coordinators.values.reduce(0) { $0 + $1.belongings.timers.count }
    guard running < limits.maxTimers else { throw .limitExceeded("a tree must not have more than \(limits.maxTimers) timers") }
    after.change(path) { $0.belongings.timers.append(timer) }
    changesTimers = true
    touched.insert(path)
  }

  /// Removes a timer of a coordinator, if there is an equal one.
  mutating func cancelTimer(_ timer: some Hashable, of path: CoordinatorPath) {
    guard let index = after.coordinators[path]?.belongings.timers.firstIndex(where: { $0.isSame(as: timer) }) else { return }
    after.change(path) { $0.belongings.timers.remove(at: index) }
    changesTimers = true
    touched.insert(path)
  }

  /// Removes the timer that fires first, if its time has come.
  ///
  /// - Parameter moment: the time at which the alarm expired.
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
    after.change(path) { record in
      record.belongings.secrets[name] = Secret(copying: secret)
      // The user has typed the secret again before the coordinator was notified.
      record.belongings.lostSecrets.remove(name)
    }
    touched.insert(path)
  }

  /// Removes a kept secret, which is wiped once the transition is stored.
  mutating func forgetSecret(_ name: String, of path: CoordinatorPath) {
    guard let secret = after.coordinators[path]?.belongings.secrets[name] else { return }
    after.change(path) { $0.belongings.secrets[name] = nil }
    wiped.append(secret)
    touched.insert(path)
  }

  /// Removes the names of the secrets that a restart removed, because their coordinator is about to be notified.
  mutating func takeLostSecrets(of path: CoordinatorPath) -> Set<String> {
    guard let names = after.coordinators[path]?.belongings.lostSecrets, !names.isEmpty else { return [] }
    after.change(path) { $0.belongings.lostSecrets = [] }
    touched.insert(path)
    return names
  }

  // MARK: What forms held

  /// Stores the values of a form when it is sent, without secrets, until its screen is dismissed.
  mutating func holdSent(_ values: [String: JSONValue], of screen: ShownScreen) {
    changeForms(of: screen.coordinator) { belongings in
      belongings.sent[screen.id] = values
      belongings.forms[screen.content.name] = nil
    }
  }

  /// Stores the values of the forms that the user leaves by Back, before their screens are removed (rule 5).
  mutating func holdForms(leftBy screen: ShownScreen) {
    guard let index = window.screens.lastIndex(where: { $0.id == screen.id }) else { return }
    for left in window.screens[index...] where left.content.form != nil {
      let sent = after.coordinators[left.coordinator]?.belongings.sent[left.id]
      guard let values = left.draft.isEmpty ? sent : left.draft, !values.isEmpty else { continue }
      changeForms(of: left.coordinator) { $0.forms[left.content.name] = values }
    }
  }

  /// Removes the values of a form when it was sent, because its screen is gone.
  mutating func forgetSent(_ screen: ShownScreen) {
    guard screen.content.form != nil, after.coordinators[screen.coordinator]?.belongings.sent[screen.id] != nil else { return }
    changeForms(of: screen.coordinator) { $0.sent[screen.id] = nil }
  }

  /// Shows the values of the top form when it was sent, because the user went back to it.
  mutating func restoreForm() {
    guard let top = window.top, let form = top.content.form, top.draft.isEmpty else { return }
    guard let values = after.coordinators[top.coordinator]?.belongings.sent[top.id] else { return }
    keep(draft: form.known(values), on: top.id)
  }

  /// Returns the values that a form had when the user went back from it.
  func heldValues(of content: Screen, of path: CoordinatorPath) -> [String: JSONValue]? {
    guard let form = content.form, let values = after.coordinators[path]?.belongings.forms[content.name] else { return nil }
    return form.known(values)
  }

  /// Changes the stored values of a coordinator's forms. Values that exceed the limit are not stored, because they are only a
  /// convenience.
  private mutating func changeForms(of path: CoordinatorPath, _ change: (inout Belongings) -> Void) {
    guard let old = after.coordinators[path]?.belongings else { return }
    var belongings = old
    change(&belongings)
    guard belongings.formsSize <= max(limits.maxDraftSize, old.formsSize) else { return }
    after.change(path) { $0.belongings = belongings }
    touched.insert(path)
  }
}

extension Form {
  /// Returns those values that the form still has fields for, without secrets.
  fileprivate func known(_ values: [String: JSONValue]) -> [String: JSONValue] {
    let secrets = schema.secretFields
    let names = Set(schema.fields.map(\.name))
    return values.filter { names.contains($0.key) && !secrets.contains($0.key) }
  }
}

/// The parts of a coordinator besides its state: timers, secrets, and the values of its forms.
struct Belongings: Sendable {
  /// The timers that have not fired, in the order in which they were started.
  var timers: [TimerRecord] = []
  /// The secrets that the coordinator keeps, by name. Only the names are stored.
  var secrets: [String: Secret] = [:]
  /// The names of the secrets that a restart removed, until the coordinator has been notified.
  var lostSecrets: Set<String> = []
  /// The values of forms when the user went back from them, by the name of their screens (rule 5); never a secret.
  var forms: [String: [String: JSONValue]] = [:]
  /// The values of the forms of the coordinator's screens when they were sent; never a secret.
  var sent: [ScreenID: [String: JSONValue]] = [:]

  /// The undelivered ends of children, because the coordinator's provider did not answer; oldest first.
  var childEnds: [ChildEndRecord] = []
  /// The name of the tree's language; only the root has one. A ``LanguageTag`` would take four times the memory.
  var language: String?
  /// Whether a client may still propose the tree's language; only the root has it.
  var isLanguageOpen = false

  /// The belongings of a coordinator that has none, like most coordinators.
  static let none = Belongings()

  var isEmpty: Bool {
    timers.isEmpty && secrets.isEmpty && lostSecrets.isEmpty && forms.isEmpty && sent.isEmpty && language == nil
      && childEnds.isEmpty && !isLanguageOpen
  }

  /// The approximate size of the values of the forms, in bytes of memory.
  var formsSize: Int {
    forms.values.reduce(0) { $0 + JSONValue.object($1).roughSize } + sent.values.reduce(0) { $0 + JSONValue.object($1).roughSize }
  }
}

/// The end of a child that has not been delivered to its parent.
public struct ChildEndRecord: Sendable, Hashable, Codable {
  /// The child.
  public var child: Child
  /// How it ended.
  public var outcome: Outcome
}

extension Transition {
  /// Presents the screen of a route. Its content is computed when the handler returns.
  mutating func present(_ route: any RouteValue, of path: CoordinatorPath, as kind: RouterKind?, animated: Bool) {
    guard let record = after.coordinators[path], isAlive(path) else { return }
    guard window.screens.count < limits.maxScreens else {
      breach = breach ?? .limitExceeded("a window must not have more than \(limits.maxScreens) screens")
      return
    }
    let screen = newScreen(route, of: path, animated: animated)
    if kind == .modal {
      after.changeWindow { $0.presentModally(screen) }
      return
    }
    let router = (kind ?? record.router).router
    let parentLayer = layerAbove(path)
    let removed = after.changeWindow { router.present(screen, in: &$0, parentLayer: parentLayer) }
    take(down: removed, .replaced, animated: animated, by: path)
  }

  /// Replaces the coordinator's topmost screen with the screen of a route, or presents the screen if there is none.
  mutating func replaceTop(with route: any RouteValue, of path: CoordinatorPath, animated: Bool) {
    guard isAlive(path) else { return }
    guard let top = window.topScreen(of: path)?.id else { return present(route, of: path, as: nil, animated: animated) }
    let screen = newScreen(route, of: path, animated: animated)
    let removed = after.changeWindow { $0.replace(top, with: screen) }
    take(down: removed, .replaced, animated: animated, by: path)
  }

  /// Dismisses all but the lowest `count` screens of a coordinator, and everything above them.
  mutating func dismiss(of path: CoordinatorPath, animated: Bool, keeping count: Int) {
    guard let lowest = window.ids(of: path).dropFirst(max(count, 0)).first else { return }
    let removed = after.changeWindow { $0.remove(lowest) }
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Dismisses everything above a screen.
  mutating func dismiss(above id: ScreenID, by path: CoordinatorPath, animated: Bool) {
    guard let index = window.screens.lastIndex(where: { $0.id == id }), index + 1 < window.screens.count else { return }
    let lowest = window.screens[index + 1].id
    let removed = after.changeWindow { $0.remove(lowest) }
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Dismisses the top screen because the user went back from it.
  mutating func goBack(from screen: ShownScreen) {
    let removed = after.changeWindow { $0.remove(screen.id) }
    take(down: removed, .back, animated: true, by: screen.coordinator)
  }

  /// Attaches a message to a screen, if it still exists.
  mutating func attach(_ message: ScreenMessage, to screen: ScreenID) {
    after.updateScreen(screen) { $0.attached.append(message) }
  }

  /// Removes the messages that the last event attached to a screen.
  mutating func clearAttached(on screen: ScreenID) {
    guard window[screen]?.attached.isEmpty == false else { return }
    after.updateScreen(screen) { $0.attached = [] }
  }

  /// Replaces the draft of a screen.
  mutating func keep(draft: [String: JSONValue], on id: ScreenID) { after.updateScreen(id) { $0.draft = draft } }

  /// Stores a coordinator's state and the content of its screens after its handler has run.
  mutating func complete(_ path: CoordinatorPath, state: any FlowState, _ screens: [ComputedScreen]) {
    after.change(path) { $0.state = state }
    touched.insert(path)
    let timers = after.coordinators[path]?.belongings.timers ?? []
    for screen in screens {
      var content = screen.content
      content.elapses = content.until.flatMap { until in timers.lazy.filter { $0.due == until }.compactMap(\.lapse?.end).first }
      let held = animations[screen.id] == nil ? nil : heldValues(of: screen.content, of: path)
      after.updateScreen(screen.id) {
        $0.content = content
        $0.back = screen.back
        $0.leaves = screen.leaves
        if let held { $0.draft = held }
        // Updates the message to the present language.
        if $0.isHeld { $0.isHeld = true }
      }
    }
  }

  private mutating func newScreen(_ route: any RouteValue, of path: CoordinatorPath, animated: Bool) -> ShownScreen {
    let id = after.nextScreenID()
    animations[id] = animated
    return ShownScreen(
      id: id, coordinator: path, route: route, style: .push, layer: 0, content: .notYetComputed, attached: [], back: true,
      changedAt: 0)
  }

  /// Returns the topmost layer of the nearest ancestor that has a screen.
  private func layerAbove(_ path: CoordinatorPath) -> UInt32 {
    var above = path.parent
    while let path = above {
      if let layer = window.layer(of: path) { return layer }
      above = path.parent
    }
    return 0
  }
}

/// The content of a screen after its coordinator's handler has run.
struct ComputedScreen: Sendable {
  let id: ScreenID
  let content: Screen
  /// Whether the user can go back from it.
  let back: Bool
  /// Whether Back ends the flow.
  let leaves: Bool
}

extension Screen {
  /// The content of a screen between `present` and the end of the handler.
  static let notYetComputed = Screen("", kind: .message, title: "")
}
