import CoordinatorBus
import CoordinatorClient
import DBus

/// Plays one flow tree after another, one call at a time. When the daemon dies, the player waits for the next one, compares all
/// its reports with the earlier ones, and repeats the unanswered call.
///
/// A player knows the expected result of each call in advance from a twin, another daemon that is never killed, on which it
/// makes the call first. Work on the twin does not end before it has ended here, as done or as interrupted, so both continue in
/// the same way.
struct Player {
  /// The prefix of the names of its trees.
  private let name: String
  private let daemon: DaemonClient
  /// Opens another connection to the daemon's bus.
  private let connect: @Sendable () async throws -> Connection
  private let twin: DaemonClient
  private let witness: Witness
  private let record: Record
  private let hasProvider: Bool
  private let onAnswer: @Sendable (String, String, TreeLedger.Doubt) -> Void
  private var moves: Moves
  /// The tree that is being played.
  private var tree: TreeLedger?
  /// The connection whose departure ends the tree; nil for none.
  private var caller: Connection?
  /// The ended trees, oldest first.
  private var ended: [TreeLedger] = []
  private var started = 0

  init(
    _ name: String, daemon: DaemonClient, twin: DaemonClient, witness: Witness, record: Record, moves: Moves,
    hasProvider: Bool,
    onAnswer: @escaping @Sendable (String, String, TreeLedger.Doubt) -> Void,
    connect: @escaping @Sendable () async throws -> Connection
  ) {
    (self.name, self.daemon, self.twin, self.witness, self.record) = (name, daemon, twin, witness, record)
    (self.moves, self.hasProvider, self.onAnswer, self.connect) = (moves, hasProvider, onAnswer, connect)
  }

  /// Plays until the trial ends, and then until no call is in doubt.
  ///
  /// - Returns: the ledgers of all its trees.
  /// - Throws: any error of the twin.
  mutating func play() async throws -> [TreeLedger] {
    var (checked, dead): (String?, String?) = (nil, nil)
    while true {
      let isPlaying = record.isPlaying
      // This needs no daemon, so it uses the time while none is running.
      if isPlaying, tree?.doubt == nil, tree?.sequel == nil { try await prepare() }
      guard let life = await witness.daemon(after: dead) else { break }
      do {
        if checked != life {
          try await compareAll()
          checked = life
        }
        if tree?.doubt != nil {
          try await call()
        } else if tree?.sequel != nil {
          try await awaitSequel(life)
        } else if !isPlaying {
          // Closing the connection ends its flow, so leave explicitly.
          if tree == nil || caller == nil { break }
          await leave()
        }
      } catch is DaemonDied {
        dead = life
        tree?.isCut()
      }
    }
    return ended + (tree.map { [$0] } ?? [])
  }

  // MARK: On the twin

  private mutating func prepare() async throws {
    guard let ledger = tree else { return try await prepareStart() }
    if caller != nil, moves.callerLeaves() { return await leave() }
    guard let call = try moves.next(in: ledger, path(of: ledger)) else { return }
    do {
      tree = try await foresee(call, on: call, ledger)
    } catch is DBusError {
      // The call was refused, which changes nothing.
    }
  }

  private mutating func prepareStart() async throws {
    let flow = moves.flow()
    started += 1
    let ledger = TreeLedger(token: "\(name)_\(flow.replacing("-", with: "_"))_\(started)", flow: flow)
    await caller?.close()
    caller = moves.endsWithCaller() ? try await connect() : nil
    // The twin's tree need not end with a caller, since the result is known.
    tree = try await foresee(
      moves.start(ledger.token, flow: flow, lifetime: caller == nil ? nil : .caller), on: moves.start(ledger.token, flow: flow),
      ledger)
  }

  /// Makes the caller leave whose departure ends the tree, whether or not a daemon observes it.
  private mutating func leave() async {
    await caller?.close()
    caller = nil
    tree?.loses()
  }

  /// Makes a call on the twin, in a form that may differ slightly.
  private func foresee(_ call: MethodCall, on twins: MethodCall, _ ledger: TreeLedger) async throws -> TreeLedger {
    var ledger = ledger
    let answer = try await twin.connection.call(twins)
    let after = try await twin.standing(of: path(of: ledger))
    ledger.prepares(
      call, answer: answer, after: after, revision: after.window?.revision ?? answer.first?.uint64 ?? 0,
      sequel: after.isBusy ? moves.sequel(of: call) : nil)
    if hasProvider { ledger.isProvided() }
    return ledger
  }

  /// Makes the twin's work end in the same way as the daemon's.
  private func letGo(_ ledger: TreeLedger, isInterrupted: Bool) async throws -> Standing {
    let root = try path(of: ledger)
    _ = try await twin.coordinator(root).delegate(
      screen: 0, event: "let-go", payload: ["interrupted": .boolean(isInterrupted)])
    while true {
      let standing = try await twin.standing(of: root)
      if !standing.isBusy { return standing }
    }
  }

  // MARK: On the daemon

  /// Makes the call that is prepared or in doubt.
  private mutating func call() async throws {
    guard var ledger = tree, let doubt = ledger.doubt else { return }
    do {
      ledger.calls()
      let connection = doubt.isStart ? caller ?? daemon.connection : daemon.connection
      let values = try await connection.call(doubt.call)
      try ledger.isAnswered(values)
      tree = ledger
      onAnswer(ledger.token, ledger.flow, doubt)
      count(doubt)
      try await compareWindow(ledger)
    } catch let error as DBusError where hasProvider && error.isOfProvider {
      // Nothing has changed, so the call is repeated.
      record.add { $0.refusedWithoutProvider += 1 }
      return try await Task.sleep(for: .milliseconds(5))
    } catch {
      guard let died = DaemonDied(error) else { return abandon(ledger, error) }
      // A call that reached no daemon is not in doubt.
      if died.mayHaveReceived, ledger.doubt != nil {
        tree = ledger
        record.add { $0.noteUnanswered(doubt) }
      }
      throw died
    }
    await putAwayIfOver()
  }

  /// Waits for the tree's sequel.
  private mutating func awaitSequel(_ life: String) async throws {
    guard let ledger = tree else { return }
    let router = try Contract.routerPath(of: path(of: ledger))
    guard let isHeard = await witness.hears(above: ledger.told.progress, of: router, from: life, limit: .seconds(60)) else {
      throw DaemonDied()
    }
    if isHeard { return try await compareTree() }
    let missing = Violation(
      .lost, tree: ledger.token, told: "\(ledger.told), and work was in progress", found: "no result for a minute")
    abandon(ledger, missing)
  }

  private mutating func putAwayIfOver() async {
    guard let ledger = tree, ledger.isOver else { return }
    ended.append(ledger)
    tree = nil
    await caller?.close()
    caller = nil
  }

  private func count(_ doubt: TreeLedger.Doubt) {
    record.add { figures in
      guard !doubt.isDraft else { return figures.drafts += 1 }
      figures.acknowledged += 1
      if doubt.isStart { figures.started += 1 }
      if case .ended = doubt.after { figures.ended += 1 }
    }
  }

  /// Compares the window as a renderer would read it now.
  private func compareWindow(_ ledger: TreeLedger) async throws {
    // The sequel may have happened by now.
    guard let expected = ledger.told.window, ledger.sequel == nil else { return }
    let window = try await daemon.router(Contract.routerPath(of: path(of: ledger))).snapshot().withoutProvider
    record.add { $0.comparisons += 1 }
    guard window != expected else { return }
    throw Violation(.different, tree: ledger.token, told: "\(expected)", found: "\(window)")
  }

  /// Compares all reports of a new daemon about the live tree and about the trees that ended most recently.
  private mutating func compareAll() async throws {
    try await compareTree()
    for ledger in ended.suffix(2) {
      do {
        try await compareEnd(ledger)
      } catch {
        if let died = DaemonDied(error) { throw died }
        report(error, ledger)
      }
    }
  }

  private mutating func compareTree() async throws {
    guard let ledger = tree else { return }
    do {
      tree = try await compare(ledger)
    } catch {
      if let died = DaemonDied(error) { throw died }
      abandon(ledger, error)
    }
    await putAwayIfOver()
  }

  private func compare(_ ledger: TreeLedger) async throws -> TreeLedger {
    var ledger = ledger
    let root = try path(of: ledger)
    // The signals are read first, because the tree may continue by itself.
    let heard = await witness.heard(try Contract.routerPath(of: root))
    let standing = try await daemon.standing(of: root)
    if let isInterrupted = try ledger.comesOfItself(standing) {
      ledger.settles(as: try await letGo(ledger, isInterrupted: isInterrupted))
      record.add { figures in
        if isInterrupted { figures.worksInterrupted += 1 } else { figures.worksDone += 1 }
      }
    }
    let wasToEnd = ledger.sequel?.kind == .end
    let finding = try ledger.isFound(standing, heard: heard)
    record.add { figures in
      figures.note(finding)
      if wasToEnd, ledger.isOver { figures.noteCallerLeft() }
    }
    return ledger
  }

  /// Compares the end of a tree. A repeated request with the same token must return the same outcome, even after the
  /// flow has ended.
  private func compareEnd(_ ledger: TreeLedger) async throws {
    _ = try await compare(ledger)
    guard case .ended(let end) = ledger.told else { return }
    let again = try await daemon.manager.runFlow(ledger.flow, options: Options(token: ledger.token))
    guard again != end else { return }
    throw Violation(.different, tree: ledger.token, told: "\(end)", found: "RunFlow answers \(again)")
  }

  // MARK: Violations

  /// Stops playing a tree that has a violation, so that it is reported only once.
  private mutating func abandon(_ ledger: TreeLedger, _ error: any Error) {
    report(error, ledger)
    tree = nil
  }

  private func report(_ error: any Error, _ ledger: TreeLedger) {
    let call = ledger.doubt.map { "\($0.call)" } ?? ""
    record.report(error as? Violation ?? Violation(.different, tree: ledger.token, told: call, found: "\(error)"))
  }

  private func path(of ledger: TreeLedger) throws -> ObjectPath { try Contract.flowPath(root: ledger.token) }
}

extension DBusError {
  /// Whether the process that serves the flow was away or failed, or the flow is not served.
  fileprivate var isOfProvider: Bool {
    switch ContractError(self) {
    case .providerGone, .providerTimeout, .providerFailed, .unknownFlow: true
    default: false
    }
  }
}
