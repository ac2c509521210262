import Platform

/// Determines the handler to call for an event.
extension ServedFlow {
  /// Returns the handler call, and changes the transition as the tree does before it calls the handler.
  ///
  /// - Returns: the call, or nil if the event concerns unknown work or an unknown timer.
  func call(
    _ event: FlowQuestion.Event, of coordinator: ServedCoordinator<C>, at path: CoordinatorPath,
    _ transition: inout Transition, _ running: RunningActor<C>, _ same: [String: String]
  ) throws -> HandlerCall? {
    switch event {
    case .start: return .start
    case .event(let name, let key, let payload, let secrets):
      let (id, route) = try coordinator.screen(key)
      return .receive(Event(name: name, payload: Payload(payload, secrets, same), screen: id), route: route)
    case .fromChild(let child, let name, let payload, let secrets):
      return .receiveFromChild(Event(name: name, payload: Payload(payload, secrets, same), screen: nil), child)
    case .script(let name, let payload, let secrets):
      return .receiveWithoutScreen(Event(name: name, payload: Payload(payload, secrets, same), screen: nil))
    case .back(let key): return .wentBack(route: try coordinator.screen(key).route)
    case .childEnded(let child, let outcome, let secrets): return .childEnded(child, outcome, Secret.standIns(for: secrets, same))
    case .output(let child, let value, let secrets):
      return .childEmitted(ChildOutput(child: child, value: ProvidedValues(value)), Secret.standIns(for: secrets, same))
    case .message(let value, let secrets): return .parentSent(ProvidedValues(value), Secret.standIns(for: secrets, same))
    case .workEnded(let id, let end): return try workEnded(id, end, of: path, &transition, running)
    case .workInterrupted(let id):
      return WorkID(text: id).flatMap { transition.takeWork($0, of: path) }.map { .workInterrupted($0) }
    case .secretsGone(let names): return .secretsLost(Set(names))
    case .timer(let key):
      let timer = try StoredText.decode(C.Timer.self, from: key)
      let known = coordinator.timers.first { $0.isSame(as: timer) }
      transition.cancelTimer(timer, of: path)
      return .timerFired(TimerRecord(timer: timer, due: known?.due ?? Timestamp(microseconds: transition.now)))
    case .language, .looking, .migrate: return .restored
    }
  }

  /// Returns the call for the end of work. Work whose result was lost with the process that performed it is performed again,
  /// like any work after a restart.
  private func workEnded(
    _ id: String, _ end: ProvidedWork.End, of path: CoordinatorPath, _ transition: inout Transition, _ running: RunningActor<C>
  ) throws -> HandlerCall? {
    guard let record = WorkID(text: id).flatMap({ transition.takeWork($0, of: path) }) else { return nil }
    if let result = try results.result(end) {
      running.keep(result, of: record.id)
      return .workEnded(record)
    }
    guard !record.tookSecrets, let work = record.work as? C.Work else { return .workInterrupted(record) }
    try transition.startWork(work, key: record.key, of: path, secrets: [:])
    let again = WorkID(number: transition.after.lastWork)
    let described = try Self.described(work, id: again, language: transition.after.languageName)
    transition.recording?.append(.startWork(described, secrets: [:], taking: false))
    return .restored
  }
}

extension ServedCoordinator {
  /// Returns the screen with a key.
  fileprivate func screen(_ key: String) throws -> (id: ScreenID, route: C.Route) {
    guard let id = UInt64(key).map(ScreenID.init), let route = routes[id] else {
      throw ProviderTrouble.failed("the coordinator has no screen \(key)")
    }
    return (id, route)
  }

  /// Returns the part of the coordinator's tree that a question describes.
  func tree(for question: FlowQuestion) -> TreeState {
    let (path, context) = (question.instance.path, question.context)
    var tree = TreeState(
      root: CoordinatorPath(root: String(path.root)), lastScreen: context.lastScreen, lastWork: lastWork,
      window: Window(screens(for: question)))
    var belongings = Belongings()
    belongings.timers = timers
    belongings.secrets = Secret.standIns(for: context.secrets, after: FlowDecision.keptPrefix, context.same)
    if path == tree.root {
      belongings.language = context.language
    } else {
      var rest = Belongings()
      rest.language = context.language
      tree.put(CoordinatorRecord(unknown: tree.root, belongings: rest))
    }
    let last = context.children.map(\.path.numberInParent).max() ?? 0
    var record = CoordinatorRecord(
      path: path, flow: C.flow.name, input: input ?? context.input, inputSize: 0, router: context.router,
      startedAt: question.instance.startedAt, lastChild: max(lastChild, last, question.event.child?.path.numberInParent ?? 0),
      state: state, work: work, belongings: belongings)
    record.children = context.children.map(\.path)
    tree.put(record)
    for child in context.children {
      tree.put(CoordinatorRecord(unknown: child.path, flow: child.flow, input: child.input))
    }
    return tree
  }

  /// Returns the screens of the coordinator, and the lowest ones of its children.
  private func screens(for question: FlowQuestion) -> [ShownScreen] {
    let context = question.context
    var screens: [ShownScreen] = []
    for key in context.screens {
      guard let id = UInt64(key).map(ScreenID.init), let route = routes[id] else { continue }
      // Separate layers keep the screens in the order of the question.
      let layer = UInt32(clamping: screens.count)
      if var screen = shown[id] {
        screen.layer = layer
        screens.append(screen)
      } else {
        screens.append(ShownScreen(id, of: question.instance.path, route, layer: layer))
      }
    }
    let own = screens
    for (path, id) in context.childScreens {
      let layer = own.last { $0.id < id }?.layer ?? 0
      screens.append(ShownScreen(id, of: path, NoRoute(), layer: layer))
    }
    return screens
  }
}

/// The route of a screen of another coordinator.
private struct NoRoute: Codable, Hashable {}

extension ShownScreen {
  fileprivate init(_ id: ScreenID, of path: CoordinatorPath, _ route: any RouteValue, layer: UInt32) {
    self.init(
      id: id, coordinator: path, route: route, style: .push, layer: layer, content: .notYetComputed, attached: [], back: true,
      changedAt: 0)
  }
}

extension CoordinatorRecord {
  /// Creates the record of another coordinator, as far as it is known here.
  fileprivate init(
    unknown path: CoordinatorPath, flow: String = "", input: [String: JSONValue] = [:], belongings: Belongings = Belongings()
  ) {
    self.init(
      path: path, flow: flow, input: input, inputSize: 0, router: .navigation, startedAt: 0, state: NoState(),
      belongings: belongings)
  }
}

extension Payload {
  fileprivate init(_ values: [String: JSONValue], _ secrets: [String], _ same: [String: String]) {
    self.init(values: values, secrets: Secret.standIns(for: secrets, same))
  }
}

extension FlowQuestion.Event {
  /// The child that the event concerns.
  fileprivate var child: Child? {
    switch self {
    case .fromChild(let child, _, _, _), .childEnded(let child, _, _), .output(let child, _, _): child
    default: nil
    }
  }
}

/// Secrets of which only the names are known, because the process that makes the decisions must not see the values.
extension Secret {
  /// The prefix of a stand-in for a secret.
  private static let mark = "\u{1}stands for\u{1}"

  /// Creates a stand-in.
  convenience init(standingFor name: String) { self.init(Self.mark + name) }

  /// The name of the secret that this one stands for; nil if it is a real one.
  var standsFor: String? {
    withString { $0.bytes.dropping(prefix: Self.mark).map { String($0) } }
  }

  /// Returns stand-ins for secrets. Those of equal secrets are equal.
  ///
  /// - Parameters:
  ///   - names: the names of the secrets.
  ///   - prefix: the prefix of their names, which distinguishes them from other names.
  ///   - same: for each secret that equals another one, the name of that secret.
  /// - Returns: the stand-ins, by name.
  static func standIns(for names: [String], after prefix: String = "", _ same: [String: String]) -> [String: Secret] {
    var result: [String: Secret] = [:]
    for name in names { result[name] = Secret(standingFor: same[prefix + name] ?? prefix + name) }
    return result
  }
}

extension CoordinatorContext {
  /// Records the operation of a handler, if another process carries it out.
  func record(_ operation: (Transition, CoordinatorPath) throws -> FlowDecision.Operation?) rethrows {
    guard let scope, scope.transition.recording != nil else { return }
    guard let operation = try operation(scope.transition, scope.path) else { return }
    scope.transition.recording?.append(operation)
  }

  /// Records the operation of a handler that uses secrets, if another process carries it out.
  func record(
    _ secrets: [String: Secret],
    _ operation: (Transition, CoordinatorPath, FlowDecision.SecretNames) throws -> FlowDecision.Operation?
  ) rethrows {
    try record { transition, path in
      var names: FlowDecision.SecretNames = [:]
      for (name, secret) in secrets {
        guard let known = secret.standsFor else {
          scope?.transition.breach = .denied("the secret '\(name)' was made in a handler, which only work may do here")
          return nil
        }
        names[name] = known
      }
      return try operation(transition, path, names)
    }
  }
}

extension Transition {
  /// Returns whether a coordinator has a child that is not about to end.
  func hasChild(_ child: CoordinatorPath, of path: CoordinatorPath) -> Bool { child.parent == path && isAlive(child) }
}
