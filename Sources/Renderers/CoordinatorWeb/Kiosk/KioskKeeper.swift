import CoordinatorBus
import CoordinatorClient
import DBus
import RendererKit

/// Starts the served flow again: some time after its end, and when nobody does anything.
actor KioskKeeper {
  /// How long to wait before trying again while the daemon is away.
  private static let patience = Duration.seconds(2)

  private let policy: KioskPolicy
  private let flow: ServedFlow
  private let trees: Trees
  private let start: @Sendable (ObjectPath) async throws -> Void
  private let cancel: @Sendable (ObjectPath) async throws -> Void
  private let clock = ContinuousClock()

  private var tree: ObjectPath
  private var lastActivity: ContinuousClock.Instant
  /// Whether anybody has done something in the current run.
  private(set) var isTouched = false
  /// When the current run has ended; nil while it runs.
  private var end: ContinuousClock.Instant?
  /// The revision of the newest window; another one means that somebody has answered, in whatever renderer.
  private var revision: UInt64?
  private var isWarning = false
  /// Whether the run is being cancelled because nobody is there.
  private var isResetting = false
  /// The pages that wait for the run after it.
  private var resetWaiters: [CheckedContinuation<Void, Never>] = []
  private var sleeper: CheckedContinuation<Void, Never>?
  /// Whether something has happened since the last pause.
  private var hasNews = false

  /// Creates a keeper. It does nothing until it runs.
  ///
  /// - Parameters:
  ///   - policy: what to do when.
  ///   - flow: flow that the server was started for.
  ///   - trees: watches of flow trees.
  ///   - start: starts the run after the given one.
  ///   - cancel: cancels the given run.
  init(
    _ policy: KioskPolicy, of flow: ServedFlow, trees: Trees, start: @escaping @Sendable (ObjectPath) async throws -> Void,
    cancel: @escaping @Sendable (ObjectPath) async throws -> Void
  ) {
    self.policy = policy
    self.flow = flow
    self.trees = trees
    self.start = start
    self.cancel = cancel
    tree = flow.tree
    lastActivity = clock.now
  }

  // MARK: What pages ask

  /// The time until the flow starts again; nil while it runs, and if it does not start by itself.
  var restartLeft: Duration? {
    guard let end, let time = policy.restartTime else { return nil }
    return max(.zero, time - (clock.now - end))
  }

  /// The time until the flow is cancelled, if users are warned of that now.
  var idleLeft: Duration? {
    guard end == nil, case .warn(let left) = step else { return nil }
    return left
  }

  /// Somebody has done something in a run. Pages of earlier runs, which may still be open somewhere, do not count.
  func touch(_ run: String) {
    guard let path = try? Contract.flowPath(root: run), path == flow.tree else { return }
    touch()
  }

  private func touch() {
    isTouched = true
    lastActivity = clock.now
    wake()
  }

  /// Another run was started by somebody else.
  func goOn() { wake() }

  /// Whether the given run was cancelled because nobody was there, and another one has started. Waits for it if that is
  /// going on, so that no page stops at an end that is only meant for the keeper.
  func hasReset(_ run: String) async -> Bool {
    guard let path = try? Contract.flowPath(root: run) else { return false }
    if isResetting, path == tree { await withCheckedContinuation { resetWaiters.append($0) } }
    return flow.tree != path
  }

  // MARK: Keeping

  /// Keeps the flow going until the task is cancelled.
  func run() async {
    await withTaskCancellationHandler {
      while !Task.isCancelled { await attend() }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private var step: KioskPolicy.IdleStep { policy.step(idleFor: clock.now - lastActivity, isTouched: isTouched) }

  /// Attends to one run, from its start to that of the next one.
  private func attend() async {
    (tree, end, isTouched, isWarning, revision) = (flow.tree, nil, false, false, nil)
    lastActivity = clock.now
    let watch: TreeWatch
    do throws(ClientError) {
      guard let retained = try await trees.retain(tree) else { return await pause(Self.patience) }
      watch = retained
    } catch {
      return await pause(Self.patience)
    }
    let listener = Task { [weak self] in
      for await event in await watch.events() { await self?.take(event) }
    }
    while end == nil, flow.tree == tree, !Task.isCancelled { await attendToIdleness(of: watch) }
    while flow.tree == tree, !Task.isCancelled { await waitForRestart() }
    listener.cancel()
    await trees.release(tree)
  }

  private func attendToIdleness(of watch: TreeWatch) async {
    switch step {
    case .wait(let time):
      if isWarning { await watch.warn(nil) }
      isWarning = false
      await pause(time)
    case .warn(let left):
      if !isWarning { await watch.warn(left) }
      isWarning = true
      await pause(left)
    case .reset:
      isResetting = true
      defer {
        isResetting = false
        for waiter in resetWaiters { waiter.resume() }
        resetWaiters = []
      }
      // A flow that cannot be left is asked again later.
      do {
        try await cancel(tree)
        try await start(tree)
      } catch {
        lastActivity = clock.now
      }
    }
  }

  private func waitForRestart() async {
    guard let end, let time = policy.restartTime ?? policy.idleTime else { return await pause(nil) }
    let left = time - (clock.now - end)
    guard left <= .zero else { return await pause(left) }
    do {
      try await start(tree)
    } catch {
      await pause(Self.patience)
    }
  }

  private func take(_ event: ServerSentEvent) {
    switch event.name {
    case "ended":
      end = end ?? clock.now
      wake()
    case "window":
      let new = event.data["revision"]?.integer.map { UInt64(clamping: $0) }
      if let revision, new != revision { touch() }
      revision = new ?? revision
    default: break
    }
  }

  /// Waits for a time, or until something has happened.
  private func pause(_ time: Duration?) async {
    defer { hasNews = false }
    guard !hasNews, !Task.isCancelled else { return }
    let timer = time.map { time in
      Task { [weak self] in
        try? await Task.sleep(for: time)
        if !Task.isCancelled { await self?.wake() }
      }
    }
    await withCheckedContinuation { sleeper = $0 }
    timer?.cancel()
  }

  private func wake() {
    hasNews = true
    sleeper.take()?.resume()
  }
}
