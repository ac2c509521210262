/// What sets a transition off.
enum Cause: Sendable {
  case start(flow: String, input: [String: JSONValue], Caller?)
  case call(TreeCall, RequestMemo?, Caller?)
  case close(isTimeout: Bool)
  case work(CoordinatorPath, WorkID)
  /// A restart cut work short that cannot be done again.
  case interruption(CoordinatorPath, WorkID)
  /// The second transition of rule 3: these coordinators threw, and end as failed.
  case failure([CoordinatorPath: Failure])
}

/// What to remember of a call that came with a request key.
struct RequestMemo: Sendable {
  let key: String
  let call: CallFingerprint
}

/// What became of a transition before it is stored.
private enum Attempt {
  case complete(Transition, TreeAnswer?)
  case refused(CallError)
  /// A handler of this coordinator threw what is no refusal.
  case failed(CoordinatorPath, Failure)
}

extension FlowTree {
  /// Runs one transition, and the one that ends who failed in it; stores, publishes and answers.
  func transact(_ cause: Cause, _ reply: @escaping Reply) async {
    let attempt = await attempt(cause)
    if isAbandoned { return }
    switch attempt {
    case .refused(let error):
      reply(.failure(error))
    case .complete(let transition, let answer):
      await conclude(transition, answer: answer, failure: nil, cause, reply)
    case .failed(let path, let failure):
      await fail(path, failure, cause, reply)
      repeatIfUnheard(cause)
    }
  }

  /// What came of work must not get lost with a transition that somebody else's failure dropped. Each time somebody ends, so this does.
  private func repeatIfUnheard(_ cause: Cause) {
    let (path, id, item): (CoordinatorPath, WorkID, Item)
    switch cause {
    case .work(let whose, let number): (path, id, item) = (whose, number, .workEnded(whose, number))
    case .interruption(let whose, let number): (path, id, item) = (whose, number, .workInterrupted(whose, number))
    case .start, .call, .close, .failure: return
    }
    if state.coordinators[path]?.work.contains(where: { $0.id == id }) == true { post(item) }
  }

  /// Ends the coordinator that threw, if it lived before the transition that was dropped.
  ///
  /// One that was only just being started leaves nothing behind. If nobody waits for an answer, its nearest living ancestor fails in
  /// its stead, since it would never learn of it.
  private func fail(_ path: CoordinatorPath, _ failure: Failure, _ cause: Cause, _ reply: @escaping Reply) async {
    if case .start = cause { return reply(.failure(.failed(failure))) }
    var failures: [CoordinatorPath: Failure] = [:]
    if let blamed = blame(path, hasCaller: cause.hasCaller) { failures[blamed] = failure }
    while true {
      let attempt = await attempt(.failure(failures))
      if isAbandoned { return }
      switch attempt {
      case .complete(let transition, _):
        return await conclude(transition, answer: nil, failure: failure, cause, reply)
      case .failed(let other, let reason):
        failures[blame(other, hasCaller: false) ?? root] = reason
      case .refused:
        failures[root] = failure
      }
    }
  }

  private func blame(_ path: CoordinatorPath, hasCaller: Bool) -> CoordinatorPath? {
    guard state.coordinators[path] == nil else { return path }
    guard !hasCaller else { return nil }
    var ancestor = path.parent
    while let path = ancestor {
      if state.coordinators[path] != nil { return path }
      ancestor = path.parent
    }
    return nil
  }

  // MARK: One attempt

  private func attempt(_ cause: Cause) async -> Attempt {
    queue.withLock { $0.handlersBegin(at: .now) }
    defer { queue.withLock { $0.handlersEnd() } }
    newcomers = [:]
    var transition = Transition(
      from: state, catalogue: environment.catalogue, limits: environment.limits, now: environment.now())
    do {
      let answer = try await begin(cause, &transition)
      try await drain(&transition)
      let isEmpty = transition.endIfNothingIsLeft()
      if isEmpty, case .start = cause { return .refused(.failed(.nothingToShow)) }
      try transition.checkLimits()
      return .complete(transition, isEmpty ? nil : answer)
    } catch let thrown as Thrown {
      return cause.verdict(on: thrown)
    } catch let error as CallError {
      return .refused(error)
    } catch let refusal as Refusal {
      return cause.hasCaller ? .refused(.refused(refusal)) : .failed(cause.coordinator ?? root, Failure(thrown: refusal))
    } catch {
      return .failed(cause.coordinator ?? root, Failure(thrown: error))
    }
  }

  private func begin(_ cause: Cause, _ transition: inout Transition) async throws -> TreeAnswer? {
    switch cause {
    case .start(let flow, let input, _):
      try transition.startRoot(flow: flow, input: input)
    case .call(let call, _, _):
      return try await begin(call, &transition)
    case .close(let isTimeout):
      transition.isTimeout = isTimeout
      transition.end(root, .cancelled)
    case .work(let path, let id):
      guard let record = transition.takeWork(id, of: path) else {
        running[path]?.discardProduct(of: id)
        break
      }
      try await call(.workEnded(record), of: path, &transition)
    case .interruption(let path, let id):
      guard let record = transition.takeWork(id, of: path) else { break }
      try await call(.workInterrupted(record), of: path, &transition)
    case .failure(let failures):
      for (path, failure) in failures.sorted(by: { $0.key.depth > $1.key.depth }) {
        transition.end(path, .failed(failure))
      }
    }
    return nil
  }

  private func begin(_ call: TreeCall, _ transition: inout Transition) async throws -> TreeAnswer? {
    switch call {
    case .delegate(let path, let screen, let event, let payload, let seen):
      try await delegate(event, payload, on: screen, of: path, seen: seen, &transition)
    case .back(let id):
      try await goBack(from: id, &transition)
    case .dismiss(let path, let animated):
      guard let record = state.coordinators[path] else { throw CallError.unknownCoordinator(path) }
      guard try await coordinator(at: path, transition).isDismissable(at: path, in: transition) else {
        throw Refusal.notDismissable("\(record.flow) cannot be dismissed now")
      }
      transition.end(path, .cancelled, animated: animated)
    case .startChild(let parent, let flow, let input, let router):
      guard state.coordinators[parent] != nil else { throw CallError.unknownCoordinator(parent) }
      let child = try transition.startChild(of: parent, flow: flow, input: input, router: router)
      return child.map { .child($0.path) }
    case .saveDraft(let id, let values):
      transition.keep(draft: try state.admit(draft: values, on: id, limit: environment.limits.maxDraftSize), on: id)
    }
    return nil
  }

  private func delegate(
    _ name: String, _ payload: [String: JSONValue], on screen: ScreenID?, of path: CoordinatorPath, seen: UInt64?,
    _ transition: inout Transition
  ) async throws {
    guard let screen else {
      guard state.coordinators[path] != nil else { throw CallError.unknownCoordinator(path) }
      let event = Event(name: name, payload: Payload(values: payload, secrets: [:]), screen: nil)
      return try await offer(event, .receiveWithoutScreen(event), to: path, &transition)
    }
    let admitted = try state.admit(name, payload: payload, on: screen, of: path, seen: seen)
    let event = Event(name: name, payload: admitted.payload, screen: screen)
    transition.clearAttached(on: screen)
    if admitted.screen.content.isForm(sentBy: name) { transition.keep(draft: [:], on: screen) }
    try await offer(event, .receive(event, route: admitted.screen.route), to: path, &transition)
  }

  /// Offers an event to a coordinator, then to its parents, until one takes it (rule 9).
  private func offer(
    _ event: Event, _ handler: HandlerCall, to path: CoordinatorPath, _ transition: inout Transition
  ) async throws {
    var handler = handler
    var path = path
    while true {
      do {
        return try await call(handler, of: path, &transition)
      } catch let thrown as Thrown where thrown.error is EventNotTaken {
        guard let parent = path.parent, let child = transition.after.coordinators[path]?.child else {
          throw CallError.unknownEvent(event.name)
        }
        handler = .receiveFromChild(event, child)
        path = parent
      }
    }
  }

  private func goBack(from id: ScreenID, _ transition: inout Transition) async throws {
    let screen = try state.admitBack(from: id)
    let owner = screen.coordinator
    let isFirst = state.window.ids(of: owner).first == id
    transition.goBack(from: screen)
    try await call(.wentBack(route: screen.route), of: owner, &transition)
    if isFirst { transition.end(owner, .cancelled) }
  }

  /// Calls the handlers that the ones before have set off, in order, until there are none.
  private func drain(_ transition: inout Transition) async throws {
    var count = 0
    while let step = transition.nextStep() {
      count += 1
      guard count <= environment.limits.maxHandlers else {
        throw Refusal.limitExceeded("one event sets off at most \(environment.limits.maxHandlers) handlers")
      }
      switch step {
      case .start(let path):
        try await call(.start, of: path, &transition)
      case .childEnded(let child, let outcome):
        guard let parent = child.path.parent else { continue }
        try await call(.childEnded(child, outcome), of: parent, &transition)
      }
    }
  }

  // MARK: Handlers

  private func call(_ handler: HandlerCall, of path: CoordinatorPath, _ transition: inout Transition) async throws {
    guard transition.isAlive(path) else { return }
    let running = try coordinator(at: path, transition)
    let result = await running.handle(handler, of: path, in: transition)
    if let error = result.error { throw Thrown(path: path, error: error) }
    transition = result.transition
  }

  /// The coordinator that runs at a path; made now if it has just been started.
  func coordinator(at path: CoordinatorPath, _ transition: Transition) throws -> any RunningCoordinator {
    if let coordinator = running[path] ?? newcomers[path] { return coordinator }
    guard let record = transition.after.coordinators[path], let definition = environment.catalogue[record.flow] else {
      throw CallError.unknownCoordinator(path)
    }
    let coordinator = try definition.makeCoordinator(input: record.input)
    newcomers[path] = coordinator
    return coordinator
  }
}

/// What a handler threw, and whose it was.
private struct Thrown: Error {
  let path: CoordinatorPath
  let error: any Error
}

extension Cause {
  /// Whether somebody waits for an answer, so that there is somebody to refuse.
  fileprivate var hasCaller: Bool {
    switch self {
    case .start, .call: true
    case .close, .work, .interruption, .failure: false
    }
  }

  fileprivate var coordinator: CoordinatorPath? {
    switch self {
    case .work(let path, _), .interruption(let path, _): path
    case .call(let call, _, _): call.coordinator
    case .start, .close, .failure: nil
    }
  }

  /// What a thrown error means: a refusal if there is somebody to refuse, else a failure of who threw it.
  fileprivate func verdict(on thrown: Thrown) -> Attempt {
    if hasCaller {
      switch thrown.error {
      case let refusal as Refusal: return .refused(.refused(refusal))
      case let invalid as InvalidPayload: return .refused(.invalidPayload(invalid.fields))
      default: break
      }
    }
    return .failed(thrown.path, Failure(thrown: thrown.error))
  }
}
