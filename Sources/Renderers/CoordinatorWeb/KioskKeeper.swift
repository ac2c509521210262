import CoordinatorBus
import CoordinatorClient
import DBus
import Languages
import Platform
import RendererKit

/// Restarts the served flow some time after its end, and after a time without input.
actor KioskKeeper {
  /// The time to wait before another attempt while the daemon is away.
  private static let patience = Duration.seconds(2)

  private let policy: KioskPolicy
  private let flow: FlowRuns
  private let trees: Trees
  private let start: @Sendable (ObjectPath) async throws -> Void
  private let cancel: @Sendable (ObjectPath) async throws -> Void
  private let clock = ContinuousClock()

  private var tree: ObjectPath
  private var lastActivity: ContinuousClock.Instant
  /// Whether there was any input in the current run.
  private(set) var isTouched = false
  /// The time at which the current run ended; nil while it runs.
  private var end: ContinuousClock.Instant?
  /// The revision of the newest window. A different one means that a client has answered, in any renderer.
  private var revision: UInt64?
  private var isWarning = false
  /// Whether the run is being cancelled for lack of input.
  private var isResetting = false
  /// The pages that wait for the next run.
  private var resetWaiters: [CheckedContinuation<Void, Never>] = []
  private var sleeper: CheckedContinuation<Void, Never>?
  /// Whether any event has arrived since the last pause.
  private var hasNews = false

  /// Creates a keeper. It does nothing until it runs.
  ///
  /// - Parameters:
  ///   - policy: times of the actions.
  ///   - flow: flow that the server was started for.
  ///   - trees: watches of flow trees.
  ///   - start: closure that starts the run after the given one.
  ///   - cancel: closure that cancels the given run.
  init(
    _ policy: KioskPolicy, of flow: FlowRuns, trees: Trees, start: @escaping @Sendable (ObjectPath) async throws -> Void,
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

  /// The time until the flow restarts; nil while it runs, and if it does not restart automatically.
  var restartLeft: Duration? {
    guard let end, let time = policy.restartTime else { return nil }
    return max(.zero, time - (clock.now - end))
  }

  /// The time until the flow is cancelled, if users are currently warned.
  var idleLeft: Duration? {
    guard end == nil, case .warn(let left) = step else { return nil }
    return left
  }

  /// Records input in a run. Input on pages of earlier runs, which may still be open, does not count.
  func touch(_ run: String) {
    guard let path = try? Contract.flowPath(root: run), path == flow.tree else { return }
    touch()
  }

  private func touch() {
    isTouched = true
    lastActivity = clock.now
    wake()
  }

  /// Continues after another client has started the next run.
  func goOn() { wake() }

  /// Returns whether the given run was cancelled for lack of input, and another one has started. If that is in progress, waits
  /// for it, so that no page stops at an end that is only meant for the keeper.
  func hasReset(_ run: String) async -> Bool {
    guard let path = try? Contract.flowPath(root: run) else { return false }
    if isResetting, path == tree { await withCheckedContinuation { resetWaiters.append($0) } }
    return flow.tree != path
  }

  // MARK: Keeping

  /// Keeps the flow running until the task is cancelled.
  func run() async {
    await withTaskCancellationHandler {
      while !Task.isCancelled { await attend() }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private var step: KioskPolicy.IdleStep { policy.step(idleFor: clock.now - lastActivity, isTouched: isTouched) }

  /// Handles one run, from its start to that of the next one.
  private func attend() async {
    (tree, end, isTouched, isWarning, revision) = (flow.tree, nil, flow.isUsed, false, nil)
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
      // A flow that cannot be cancelled now is cancelled later.
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

  /// Waits for a time, or until an event arrives.
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

extension FlowRuns {
  /// Starts the run after the given one. If it has already been started, does nothing.
  ///
  /// - Parameters:
  ///   - ended: the given run.
  ///   - daemon: client of the daemon.
  ///   - language: language of the user who starts it, or of the server's environment.
  ///   - isForNextVisitor: whether the user is not known yet: the first browser that looks then proposes the language.
  /// - Throws: `ClientError`.
  func startNext(
    after ended: ObjectPath, of daemon: DaemonClient, language: LanguageTag?, isForNextVisitor: Bool
  ) async throws(ClientError) {
    guard let token = token(after: ended) else { return }
    let options = Options(
      token: token, fresh: isOfKiosk ? true : nil, language: language, proposals: isForNextVisitor ? true : nil)
    guard let kiosk else {
      return goOn(with: try await daemon.manager.startFlow(name, input: input, options: options).coordinator, after: ended)
    }
    let run = try await kiosk.start(name, input: input, options, otherwise: spare, by: daemon)
    if let token = run.passedOver { complain("coordinator-web: \(KioskName.notice(onPassingOver: token))\n") }
    goOn(with: run.tree, after: ended)
  }
}

/// The question whether the user is still present, before the flow is cancelled for lack of input. It is part of every page of
/// the flow, and shown in time.
struct IdleMarkup: Sendable {
  let links: Links
  let tree: String
  let token: FormToken
  /// The time until the flow is cancelled, if the question is asked now.
  let left: Duration?

  /// The markup.
  var html: HTML {
    tag(
      "form", .id("idle"), .class("idle"), Attribute("method", "post"), Attribute("action", links.alive(tree)),
      .flag("hidden", left == nil)
    ) {
      token.hidden()
      // A form must not have the role itself.
      tag(
        "div", Attribute("role", "alertdialog"), Attribute("aria-labelledby", "idle-title"),
        Attribute("aria-describedby", "idle-text")
      ) {
        tag("h2", .id("idle-title"), .english) { Text("Are you still there?").string }
        tag("p", .id("idle-text"), .english) {
          TimedSentence(left: left ?? .zero) {
            Text("For the next person, this starts again in {time}.", ["time": $0]).string
          }.html
        }
        tag("button", .id("alive"), .class("primary"), .english) { Text("I am still here").string }
      }
    }
  }
}

/// The announcement that a flow restarts automatically.
struct Restart: Sendable {
  /// The remaining time.
  let left: Duration

  /// The remaining time as the script reads it.
  var milliseconds: String { TimedSentence.milliseconds(left) }
  /// The number of seconds after which a browser without scripts reloads the page.
  var reloadTime: UInt64 { UInt64(clamping: ClockTime(left).seconds) + 1 }

  /// The markup.
  var html: HTML {
    tag("p", .id("restart"), .class("countdown"), .english, Attribute("role", "timer")) {
      TimedSentence(left: left) { Text("This starts again in {time}.", ["time": $0]).string }.html
    }
  }
}

/// A sentence with a remaining time. The script counts from that time, because the clocks of browser and server may differ.
struct TimedSentence {
  private let left: Duration
  private let sentence: (String) -> String

  /// Creates a sentence.
  ///
  /// - Parameters:
  ///   - left: remaining time.
  ///   - sentence: closure that inserts the time.
  init(left: Duration, _ sentence: @escaping (String) -> String) {
    self.left = left
    self.sentence = sentence
  }

  /// Returns a time in milliseconds, as the script reads it.
  static func milliseconds(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    return String(max(0, seconds * 1000 + rest / 1_000_000_000_000_000))
  }

  /// The markup. The time is a separate element, wherever it is in the sentence.
  var html: HTML {
    let mark = "\u{1}"
    let parts = sentence(mark).bytes.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return group {
      parts[0]
      tag("span", .class("clock"), Attribute("data-left", Self.milliseconds(left)), Attribute("dir", "ltr")) {
        ClockTime(left).description
      }
      parts.dropFirst().joined()
    }
  }
}
