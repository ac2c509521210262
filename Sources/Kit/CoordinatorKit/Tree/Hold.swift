import Languages

/// Why a coordinator is held, and when its event is retried. A class, so that it takes little space in the record of a
/// coordinator.
package final class Hold: Sendable {
  /// Why an event for which no caller waits cannot be handled.
  enum Obstacle: Sendable, Hashable {
    /// The event cannot be handled until something has changed, such as the program that was asked last.
    case refusal(String, AskingHistory)
    /// Another coordinator would need to handle it, and is held itself.
    case otherHold(String)
    /// The provider of a coordinator did not give a usable answer.
    case provider(ProviderTrouble, AskingHistory)
    /// The coordinator is already held.
    case same
  }

  let obstacle: Obstacle
  /// The attempts to ask about the event.
  let history: AskingHistory
  /// The number of attempts to handle the event.
  private let tries: Int

  /// Creates a hold.
  ///
  /// - Parameters:
  ///   - obstacle: why the event cannot be handled.
  ///   - previous: the hold before the last attempt, if there was one.
  init(_ obstacle: Obstacle, after previous: Hold?) {
    self.obstacle = obstacle
    tries = (previous?.tries ?? 0) + 1
    switch obstacle {
    case .provider(.failed, let history), .provider(.timeout, let history): self.history = history.failed()
    case .provider(.gone, let history), .refusal(_, let history): self.history = history
    // The earlier attempts no longer count: if the provider was asked, it has made a valid decision.
    case .otherHold: history = AskingHistory()
    case .same: history = previous?.history ?? AskingHistory()
    }
  }

  /// Why the coordinator is held, for users.
  package var reason: String {
    switch obstacle {
    case .refusal(let reason, _), .otherHold(let reason): reason
    case .provider(let trouble, _): trouble.description
    case .same: ""
    }
  }

  /// The delay before the event is retried; nil if it is not retried automatically.
  var delay: Duration? {
    switch obstacle {
    case .otherHold, .provider: !history.isExhausted ? .seconds(min(60, 1 << min(6, tries - 1))) : nil
    case .refusal, .same: nil
    }
  }

  /// Returns the error for a caller whose call the coordinator would need to handle.
  func error(at path: CoordinatorPath) -> CallError {
    if case .provider(let trouble, _) = obstacle, delay != nil { return .provider(trouble) }
    return .held(path, reason)
  }

  /// Returns whether to retry because flows are served.
  ///
  /// - Parameter server: returns the program that serves a flow; nil if there is none.
  /// - Returns: true if the hold only waits for a provider, or if the program that could not continue was changed. A new
  ///   process of the same program is not sufficient.
  func ends(by server: (String) -> ServingProgram?) -> Bool {
    if delay != nil { return true }
    guard let flow = history.instance?.flow, let program = history.program, let server = server(flow) else { return false }
    return server.name == program.name && server.isAnother(than: program)
  }
}

/// A retry of the event that a held coordinator waits for.
struct Retrial: Sendable {
  let path: CoordinatorPath
  /// The previous hold; nil once an event has been handled, because a new hold concerns a different event.
  private(set) var hold: Hold?
  /// The attempts to ask about the event.
  private(set) var history: AskingHistory
  /// Whether a client has requested the retry.
  let isWanted: Bool

  /// Creates the retrial of a coordinator that is held.
  init(of path: CoordinatorPath, _ hold: Hold, isWanted: Bool) {
    (self.path, self.hold, self.isWanted) = (path, hold, isWanted)
    history = isWanted ? hold.history.renewed() : hold.history
  }

  /// Records that the event has been handled.
  mutating func succeed() { (hold, history) = (nil, AskingHistory()) }
}

/// The events that wait because their coordinators are held, and the retrial of one coordinator's events.
struct HeldEvents: Sendable {
  /// In order of arrival.
  private var events: [(path: CoordinatorPath, cause: Cause)] = []
  /// The held coordinator whose event is being retried.
  private var retrial: Retrial?

  /// The attempts to ask about the event that is being retried; nil if none is.
  var retrialHistory: AskingHistory? { retrial?.history }

  /// The coordinator whose event is being retried because a client has requested it.
  var wantedRetry: CoordinatorPath? { retrial.flatMap { $0.isWanted ? $0.path : nil } }

  /// Returns the hold of a coordinator before its retrial; nil if it is not retried.
  func holdBeforeRetrial(of path: CoordinatorPath) -> Hold? { retrial?.path == path ? retrial?.hold : nil }

  /// Keeps an event.
  mutating func keep(_ cause: Cause, of path: CoordinatorPath) { events.append((path, cause)) }

  /// Removes the events of a coordinator that has ended.
  mutating func forget(_ path: CoordinatorPath) { events.removeAll { $0.path == path } }

  /// Begins a retrial, and removes and returns the events of its coordinator, in order of arrival.
  mutating func beginRetrial(_ retrial: Retrial) -> [Cause] {
    self.retrial = retrial
    let causes = events.filter { $0.path == retrial.path }.map(\.cause)
    forget(retrial.path)
    return causes
  }

  /// Records that the retried event has been handled.
  mutating func retrialHasSucceeded() { retrial?.succeed() }

  /// Ends the retrial.
  mutating func endRetrial() { retrial = nil }
}

/// The holds to retry.
enum HoldRetry: Sendable {
  /// All holds, because a client requests it.
  case all
  /// The holds that wait for a provider, because flows are served again.
  case served
  /// The hold of one coordinator, because its delay has passed, unless the coordinator has a different hold now.
  case due(CoordinatorPath, Hold)
}

/// Holds coordinators (rule 1): an event that cannot be handled and for which no caller waits is kept, and the flow continues.
extension FlowTree {
  /// Retries the events that held coordinators wait for.
  ///
  /// - Parameter reply: called once from any thread, when all have been tried.
  public nonisolated func retryHeld(reply: @escaping Reply = { _ in }) { post(Posted(.retry(.all), reply)) }

  /// Retries the events that wait for providers, because flows are served again.
  package nonisolated func retryServed() { post(Posted(.retry(.served))) }

  /// Holds a coordinator until an event can be handled. The event has been dropped, and nothing has changed.
  ///
  /// - Parameters:
  ///   - path: the coordinator.
  ///   - obstacle: why the event cannot be handled.
  ///   - posted: the event, for which no caller waits.
  func hold(_ path: CoordinatorPath, because obstacle: Hold.Obstacle, _ posted: Posted) async {
    if obstacle != .same {
      let hold = Hold(obstacle, after: lastHold(of: path))
      await setHold(of: path, to: hold)
      if let delay = hold.delay {
        environment.schedule(delay) { [weak self] in self?.post(Posted(.retry(.due(path, hold)))) }
      }
    }
    keepBack(posted, of: path)
    if case .timer = posted.cause { environment.whenTimersChange(root, state.nextTimers) }
  }

  /// Keeps an event for a coordinator that is already held.
  ///
  /// - Returns: whether the coordinator is held.
  func isKeptBack(_ posted: Posted) -> Bool {
    guard posted.cause.isKept, let path = posted.cause.coordinator, state.hold(of: path) != nil else { return false }
    keepBack(posted, of: path)
    return true
  }

  /// Retries the events that held coordinators wait for: first those that were kept, in order of arrival, then due timers.
  func retryHolds(_ retry: HoldRetry) async {
    for record in state.coordinatorsInOrder {
      guard let hold = record.hold, !isAbandoned else { continue }
      var isWanted = false
      switch retry {
      case .all: isWanted = true
      case .served: guard hold.ends(by: { environment.catalogue.provided?.server(of: $0) }) else { continue }
      case .due(let path, let due): guard record.path == path, hold === due else { continue }
      }
      await self.retry(record, hold, isWanted: isWanted)
    }
    if !isAbandoned { environment.whenTimersChange(root, state.nextTimers) }
  }

  private func retry(_ record: CoordinatorRecord, _ hold: Hold, isWanted: Bool) async {
    let path = record.path
    let events = beginRetrial(of: path, hold, isWanted: isWanted)
    defer { endRetrial() }
    var patience = ProviderPatience(environment.limits.maxProviderTime)
    await migrate(for: Posted(.retry(.all)), &patience)
    for _ in record.belongings.childEnds where state.isAlive && !isAbandoned && state.coordinators[path]?.hold == nil {
      await retry(Posted(.childEnd(path)), of: path)
    }
    for cause in events where state.isAlive && !isAbandoned {
      let posted = Posted(cause)
      if !isKeptBack(posted) { await retry(posted, of: path) }
    }
    let moment = environment.moment
    let due = record.timers.count { $0.isDue(at: moment) }
    for _ in 0..<due where state.isAlive && !isAbandoned && state.coordinators[path]?.hold == nil {
      await retry(Posted(.timer(moment)), of: path)
    }
    guard !isAbandoned, state.coordinators[path] != nil, state.hold(of: path) == nil else { return }
    let updates = state.window.ids(of: path).compactMap { state.window[$0] }.map {
      Publication.Updated(screen: $0, keys: [.messages])
    }
    await environment.observer.publish(live: updates, of: state)
  }

  private func retry(_ posted: Posted, of path: CoordinatorPath) async {
    await transact(posted)
    if state.coordinators[path]?.hold == nil { retrialHasSucceeded() }
  }

  private func keepBack(_ posted: Posted, of path: CoordinatorPath) {
    // A timer stays in its coordinator's record, and fires again when the coordinator is no longer held.
    if posted.cause.isKept { keep(posted.cause, of: path) }
    posted.reply(.failure(.held(path, state.hold(of: path) ?? "")))
  }

  private func setHold(of path: CoordinatorPath, to hold: Hold) async {
    guard state.coordinators[path] != nil else { return }
    let language = state.language.flatMap(environment.catalogue.translations.language(for:))
    let updates = Translation.$current.withValue(language) { recordHold(of: path, to: hold) }
    await environment.observer.publish(live: updates, of: state)
  }
}

extension Cause {
  /// Whether the event is kept while its coordinator is held: it concerns a piece of work, or secrets, of this coordinator.
  fileprivate var isKept: Bool {
    switch self {
    case .work, .interruption, .lostSecrets: true
    case .start, .call, .close, .timer, .live, .renderers, .looking, .retry, .workResult, .childEnd, .migration: false
    }
  }
}

/// Coordinators that are held: an event for which no caller waits could not be handled, and is kept. Screens stay; an event
/// that needs a handler of a held coordinator is refused. A hold is not stored: after a restart, the event is retried.
extension TreeState {
  /// Returns why a coordinator is held; nil if it is not.
  public func hold(of path: CoordinatorPath) -> String? { coordinators[path]?.hold?.reason }

  /// Why coordinators are held, by coordinator.
  package var reasonsOfHolds: [CoordinatorPath: String] {
    var reasons: [CoordinatorPath: String] = [:]
    for record in coordinators.values { reasons[record.path] = record.hold?.reason }
    return reasons
  }

  /// The coordinators that are held, in no particular order.
  public var holds: [CoordinatorPath] { coordinators.values.filter { $0.hold != nil }.map(\.path) }

  /// Holds a coordinator, or releases it, and updates the message on its screens.
  ///
  /// - Parameters:
  ///   - path: the coordinator; it must be alive.
  ///   - hold: why it is held; nil to release it.
  /// - Returns: the screens that changed, bottom first.
  mutating func setHold(of path: CoordinatorPath, to hold: Hold?) -> [Publication.Updated] {
    change(path) { $0.hold = hold }
    var updates: [Publication.Updated] = []
    changeWindow { window in
      window.updateScreens(of: path) { screen in
        guard screen.isHeld != (hold != nil) else { return }
        screen.isHeld = hold != nil
        updates.append(Publication.Updated(screen: screen, keys: [.messages]))
      }
    }
    return updates
  }
}

extension ScreenMessage {
  /// The message on the screens of a held coordinator.
  package static var held: ScreenMessage {
    .warning("held", "This step cannot continue at the moment. What was entered so far is kept.")
  }
}
