import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// Maintains an exact copy of the window of a flow tree, across lost signals and daemon restarts.
///
/// The mirror subscribes before it attaches, so it misses no signal in between. ``WindowMirrorState`` decides what each
/// signal means; this actor performs the resulting steps. The renderer reads ``events``.
public actor WindowMirror {
  /// The path of the tree's root coordinator.
  public nonisolated let tree: ObjectPath
  private let daemon: DaemonClient
  private let kind: String
  private let name: String
  /// The people to whom this renderer shows the tree; nil if it is one person.
  private var people: [String]?
  /// The attached renderers, as last announced.
  private var participants: [Participant] = []
  /// Whether a window of the present daemon has been posted. The participants are announced after it.
  private var hasShown = false
  private let screenKinds: [Screen.Kind]
  private let router: ObjectPath
  private var state: WindowMirrorState
  /// The unique name of the daemon. Signals from other senders are ignored.
  private var owner: String?
  /// The previous owner of the daemon's name. While the name has no owner, the last signals of this one may still
  /// arrive.
  private var formerOwner: String?
  /// The owner that the renderer is attached to.
  private var attachedTo: String?
  /// Counts reads, so that an outdated reply can be recognized.
  private var reading = 0
  private var isDaemonLost = false
  /// Why this client may only see coordinators, of those that it has asked; nil for those that it may answer.
  private var reasons: [ObjectPath: String?] = [:]
  private var queue: WindowEventQueue
  private var isOver = false
  private var failure: ClientError?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var listeners: [Task<Void, Never>] = []

  /// Attaches to a flow tree. If the tree has already ended, the method does not throw; the events report the end.
  ///
  /// - Parameters:
  ///   - tree: path of the root coordinator.
  ///   - daemon: client that the calls go through.
  ///   - kind: kind of this renderer, such as "terminal". Other renderers receive it when this one answers.
  ///   - name: name that distinguishes this renderer from others of its kind, of at most 128 bytes; empty for none.
  ///   - people: people to whom it shows the tree, at most 32; nil if it is one person.
  ///   - screenKinds: kinds of screens that the renderer can show; by default all that this library knows.
  ///   - isComplete: whether to emit every window, including those that are outdated by the time they are read. Meant for a
  ///     reader that records.
  /// - Returns: the mirror, with its first event queued.
  /// - Throws: ``ClientError`` if the daemon cannot be reached, the bus refuses the subscriptions, or a reply violates the
  ///   contract.
  public static func attach(
    to tree: ObjectPath, of daemon: DaemonClient, kind: String, name: String = "", people: [String]? = nil,
    screenKinds: [Screen.Kind] = Screen.Kind.allCases, isComplete: Bool = false
  ) async throws(ClientError) -> WindowMirror {
    let mirror = try WindowMirror(
      tree: tree, daemon: daemon, kind: kind, name: name, people: people, screenKinds: screenKinds,
      queue: WindowEventQueue(isComplete: isComplete))
    try await mirror.start()
    return mirror
  }

  private init(
    tree: ObjectPath, daemon: DaemonClient, kind: String, name: String, people: [String]?, screenKinds: [Screen.Kind],
    queue: WindowEventQueue
  ) throws(ClientError) {
    self.name = name
    self.people = people
    self.queue = queue
    state = WindowMirrorState(client: daemon.connection.uniqueName)
    self.screenKinds = screenKinds
    self.tree = tree
    self.daemon = daemon
    self.kind = kind
    do {
      router = try Contract.routerPath(of: tree)
    } catch {
      throw .malformedAnswer(error.description)
    }
  }

  deinit {
    for listener in listeners { listener.cancel() }
  }

  /// The events for the renderer, in order. Meant for a single reader. A slow reader skips outdated windows, unless the
  /// mirror was attached with `isComplete`.
  ///
  /// The sequence ends after ``WindowEvent/ended(_:)`` and after ``close()``. It throws when the connection to the bus
  /// is lost, and when the daemon violates the contract.
  public nonisolated var events: WindowEvents { WindowEvents(mirror: self) }

  /// Stops following the tree, ends ``events``, and detaches the renderer from the daemon. Does nothing if the mirror
  /// has already ended.
  public func close() async {
    guard !isOver else { return }
    let owner = owner
    finish(nil)
    if let owner { try? await daemon.router(router, owner: owner).detach() }
  }

  /// Announces to the other renderers the people to whom this one shows the tree. A failure is ignored, because the tree itself
  /// is shown in any case.
  ///
  /// - Parameter people: people, at most 32.
  public func show(to people: [String]) async {
    guard people != self.people, !isOver else { return }
    self.people = people
    guard let owner, attachedTo == owner else { return }
    // A repeated call of Attach replaces the renderer's previous description.
    _ = try? await daemon.router(router, owner: owner).attach(
      kind: kind, name: name, people: people, screenKinds: screenKinds)
  }

  /// Returns the next event, or nil at the end. Throws a failure once.
  func next() async throws(ClientError) -> WindowEvent? {
    while !Task.isCancelled {
      if let event = queue.popFirst() { return event }
      if let failure {
        self.failure = nil
        throw failure
      }
      if isOver { return nil }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiters.append($0) }
      } onCancel: {
        Task { await self.wake() }
      }
    }
    return nil
  }

  // MARK: Listening

  private func start() async throws(ClientError) {
    let signals: SignalSequence
    let ends: SignalSequence
    let owners: SignalSequence
    let properties: SignalSequence
    do {
      let connection = daemon.connection
      // One rule for the Router's own signals and for its properties, so that their order is kept.
      signals = try await connection.signals(matching: MatchRule(path: router))
      ends = try await connection.signals(
        matching: MatchRule(
          path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowEnded",
          argumentPaths: [0: tree.string]))
      owners = try await connection.signals(
        matching: MatchRule(
          sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
          arguments: [0: Contract.busName]))
      properties = try await connection.signals(
        matching: MatchRule(
          path: tree, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
          arguments: [0: Contract.coordinatorInterface]))
    } catch {
      throw ClientError(error)
    }
    listen(to: signals) { $0.received($1) }
    listen(to: ends) { $0.flowEnded($1) }
    listen(to: owners) { $0.ownerChanged($1) }
    listen(to: properties) { $0.propertiesChanged($1) }
    owner = try await daemon.owner()
    await read()
    if let failure { throw failure }
  }

  private func listen(
    to signals: SignalSequence, _ body: @escaping @Sendable (isolated WindowMirror, SignalDelivery) -> Void
  ) {
    listeners.append(
      Task { [weak self] in
        for await delivery in signals { await self?.run(body, delivery) }
        await self?.connectionLost()
      })
  }

  private func run(_ body: @Sendable (isolated WindowMirror, SignalDelivery) -> Void, _ delivery: SignalDelivery) {
    guard !isOver else { return }
    body(self, delivery)
  }

  private func received(_ delivery: SignalDelivery) {
    switch delivery {
    case .gap: perform(state.missedSignals())
    case .signal(let message):
      guard message.sender == owner else { return }
      guard message.interface == Contract.routerInterface else { return routerPropertiesChanged(message) }
      let signal = RouterSignal(member: message.member, body: message.body)
      if case .drafted(let screen, let draft, let client)? = signal, !draft.isEmpty, client != daemon.connection.uniqueName {
        post(.typing(screen: screen, by: participants.first { $0.client == client } ?? Participant(client: client, kind: "")))
      }
      perform(signal.map { state.receive($0) } ?? state.missedSignals())
    }
  }

  private func routerPropertiesChanged(_ message: SignalMessage) {
    guard message.interface == "org.freedesktop.DBus.Properties", message.body.count == 3,
      message.body[0].string == Contract.routerInterface, let changed = message.body[1].vardict
    else { return }
    if let renderers = changed["Renderers"]?.vardicts {
      participants = renderers.compactMap(Participant.init)
      if hasShown { post(.participants(participants)) }
    }
    if let language = changed["Language"] { perform(state.languageChanged(to: LanguageTag(property: language))) }
  }

  private func flowEnded(_ delivery: SignalDelivery) {
    guard case .signal(let message) = delivery, message.sender == owner ?? formerOwner, message.body.count == 3,
      message.body[0].objectPath == tree, let outcome = message.body[2].string
    else { return }
    perform(state.flowEnded(outcome: outcome))
  }

  private func propertiesChanged(_ delivery: SignalDelivery) {
    switch delivery {
    case .gap: perform(state.heldChanged())
    case .signal(let message):
      guard message.sender == owner, message.body.count == 3, message.body[1].vardict?["Held"] != nil else { return }
      perform(state.heldChanged())
    }
  }

  private func ownerChanged(_ delivery: SignalDelivery) {
    guard case .signal(let message) = delivery, message.body.count == 3, let name = message.body[2].string else { return }
    let newOwner = name.isEmpty ? nil : name
    // The change happened after subscribing, and `daemon.owner()` has already returned the new owner.
    guard newOwner != owner else { return }
    formerOwner = owner
    owner = newOwner
    reading += 1
    state.daemonGone()
    participants = []
    reasons = [:]
    hasShown = false
    if newOwner != nil {
      perform(state.daemonBack())
    } else if !isDaemonLost {
      isDaemonLost = true
      post(.daemonLost)
    }
  }

  private func connectionLost() {
    guard !Task.isCancelled else { return }
    finish(.connection(.disconnected))
  }

  // MARK: Acting

  private func show(_ window: MirroredWindow) {
    var window = window
    window.closed = window.top.flatMap { reasons[$0.coordinator] ?? nil }
    post(.window(window))
    askWhetherClosed(window)
    guard !hasShown else { return }
    hasShown = true
    if !participants.isEmpty { post(.participants(participants)) }
  }

  /// Asks once whether this client may answer the coordinator of the top screen. Only a window with the answer that it may
  /// not follows, so that no user waits for a question whose answer is usually yes.
  private func askWhetherClosed(_ window: MirroredWindow) {
    guard let owner, let coordinator = window.top?.coordinator, reasons[coordinator] == nil else { return }
    let shown = Set(window.screens.map(\.coordinator))
    reasons = reasons.filter { shown.contains($0.key) }
    reasons.updateValue(nil, forKey: coordinator)
    Task { [weak self, daemon] in
      guard let reason = try? await daemon.coordinator(coordinator, owner: owner).reasonAgainstAnswering() else { return }
      await self?.close(coordinator, because: reason, by: owner)
    }
  }

  private func close(_ coordinator: ObjectPath, because reason: String, by owner: String) {
    guard owner == self.owner, reasons[coordinator] != nil else { return }
    reasons[coordinator] = .some(reason)
    if let window = state.window, window.top?.coordinator == coordinator { show(window) }
  }

  private func perform(_ step: WindowMirrorState.Step) {
    switch step {
    case .none: break
    case .paint(let window): show(window)
    case .paintAnswered(let answer, let window):
      var answer = answer
      answer.name = participants.first { $0.client == answer.client }?.displayedName ?? ""
      post(.answered(answer))
      show(window)
    case .progress(let screen, let progress): post(.progress(screen: screen, progress))
    case .drafted(let screen, let draft): post(.drafted(screen: screen, draft))
    case .language(let language): post(.language(language))
    case .readAgain: Task { [weak self] in await self?.read() }
    case .ended(let outcome): Task { [weak self] in await self?.tellEnd(outcome) }
    }
  }

  /// Reads a snapshot. Attaches instead if this daemon does not know the renderer yet; the reply is a snapshot as well.
  private func read() async {
    guard let owner, !isOver else { return }
    reading += 1
    let current = reading
    do throws(ClientError) {
      let router = daemon.router(router, owner: owner)
      let isAttached = attachedTo == owner
      let snapshot =
        isAttached
        ? try await router.snapshot() : try await router.attach(kind: kind, name: name, people: people, screenKinds: screenKinds)
      guard current == reading else { return }
      attachedTo = owner
      adopt(snapshot)
    } catch {
      guard current == reading, !isOver else { return }
      await readingFailed(error)
    }
  }

  private func adopt(_ snapshot: WindowSnapshot) {
    do {
      let step = try state.adopt(snapshot)
      if isDaemonLost {
        isDaemonLost = false
        post(.daemonBack)
      }
      perform(step)
    } catch {
      finish(.malformedAnswer(error.description))
    }
  }

  private func readingFailed(_ error: ClientError) async {
    switch error {
    // The daemon has just left. NameOwnerChanged reports the next owner.
    case _ where error.isDaemonGone: break
    case _ where error.isUnknownObject: await tellEnd(nil)
    default: finish(error)
    }
  }

  /// Asks the daemon how the flow ended, and emits the end.
  private func tellEnd(_ outcome: String?) async {
    let known = outcome.flatMap { FlowEnd(outcome: $0, result: [:]) }
    let teller = owner
    let end: FlowEnd
    do {
      end = try await daemon.manager.outcome(of: tree) ?? known ?? .lost
    } catch {
      // The sender of FlowEnded can report the outcome, unless it has left the bus since: a stopped daemon that does
      // not persist flows.
      let isGone = !error.isUnknownObject || teller == nil || teller != owner
      end = known == .cancelled && isGone ? .stopped : known ?? .lost
    }
    guard !isOver else { return }
    post(.ended(end))
    finish(nil)
  }

  private func post(_ event: WindowEvent) {
    guard !isOver else { return }
    queue.append(event)
    wake()
  }

  private func finish(_ error: ClientError?) {
    guard !isOver else { return }
    isOver = true
    failure = error
    for listener in listeners { listener.cancel() }
    listeners = []
    wake()
  }

  private func wake() {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.resume() }
  }
}
