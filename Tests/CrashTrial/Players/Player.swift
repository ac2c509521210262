import CoordinatorBus
import CoordinatorClient
import DBus

/// Plays one flow tree after the other, and makes one call after the other. When the daemon dies, it waits for the next one, compares all
/// that this one says with what was told, and makes the call that has no answer once more.
///
/// What has to come of a call it learns beforehand from a twin: another daemon, which nobody kills, and on which it makes each call first.
struct Player {
  /// What its trees' names begin with.
  private let name: String
  private let daemon: DaemonClient
  private let twin: DaemonClient
  private let witness: Witness
  private let record: Record
  private var moves: Moves
  /// The tree that it plays with.
  private var tree: TreeLedger?
  /// Those that have ended, oldest first.
  private var ended: [TreeLedger] = []
  private var started = 0

  init(_ name: String, daemon: DaemonClient, twin: DaemonClient, witness: Witness, record: Record, seed: UInt64) {
    (self.name, self.daemon, self.twin, self.witness, self.record) = (name, daemon, twin, witness, record)
    moves = Moves(seed: seed)
  }

  /// Plays until the trial ends, and then until nothing is in doubt.
  ///
  /// - Returns: What it knows of all its trees, in the end.
  /// - Throws: What the twin throws.
  mutating func play() async throws -> [TreeLedger] {
    var (checked, dead): (String?, String?) = (nil, nil)
    while true {
      let isPlaying = record.isPlaying
      // Needs no daemon, and so loses no time while there is none.
      if isPlaying, tree?.doubt == nil { try await prepare() }
      guard let life = await witness.daemon(after: dead) else { break }
      do {
        if checked != life {
          try await compareAll()
          checked = life
        }
        if tree?.doubt == nil, !isPlaying { break }
        try await call()
      } catch is DaemonDied {
        dead = life
      }
    }
    return ended + (tree.map { [$0] } ?? [])
  }

  // MARK: On the twin

  private mutating func prepare() async throws {
    guard let ledger = tree else { return try await prepareStart() }
    guard let call = try moves.next(in: ledger, path(of: ledger)) else { return }
    do {
      tree = try await foresee(call, ledger)
    } catch is DBusError {
      // Refused, which changes nothing.
    }
  }

  private mutating func prepareStart() async throws {
    let flow = moves.flow()
    started += 1
    let ledger = TreeLedger(token: "\(name)_\(flow.replacing("-", with: "_"))_\(started)", flow: flow)
    tree = try await foresee(moves.start(ledger.token, flow: flow), ledger)
  }

  private func foresee(_ call: MethodCall, _ ledger: TreeLedger) async throws -> TreeLedger {
    var ledger = ledger
    let answer = try await twin.connection.call(call)
    let after = try await twin.standing(of: path(of: ledger))
    ledger.prepares(call, answer: answer, after: after, revision: after.window?.revision ?? answer.first?.uint64 ?? 0)
    return ledger
  }

  // MARK: On the daemon

  /// Makes the call that is prepared or in doubt.
  private mutating func call() async throws {
    guard var ledger = tree, let doubt = ledger.doubt else { return }
    do {
      ledger.calls()
      let values = try await daemon.connection.call(doubt.call)
      try ledger.isAnswered(values)
      tree = ledger
      count(doubt)
      try await compareWindow(ledger)
    } catch {
      guard let died = DaemonDied(error) else { return abandon(ledger, error) }
      // A call that nobody was there for is not in doubt.
      if died.mayHaveReceived, ledger.doubt != nil {
        tree = ledger
        record.add { $0.noteUnanswered(doubt) }
      }
      throw died
    }
    guard ledger.isOver else { return }
    ended.append(ledger)
    tree = nil
  }

  private func count(_ doubt: TreeLedger.Doubt) {
    record.add { figures in
      figures.acknowledged += 1
      if doubt.isStart { figures.started += 1 }
      if case .ended = doubt.after { figures.ended += 1 }
    }
  }

  /// The window as a renderer would read it now.
  private func compareWindow(_ ledger: TreeLedger) async throws {
    guard let expected = ledger.told.window else { return }
    let window = try await daemon.router(Contract.routerPath(of: path(of: ledger))).snapshot()
    record.add { $0.comparisons += 1 }
    guard window != expected else { return }
    throw Violation(.different, tree: ledger.token, told: "\(expected)", found: "\(window)")
  }

  /// All that a new daemon says of the tree that lives, and of those that have ended last.
  private mutating func compareAll() async throws {
    if let ledger = tree {
      do {
        tree = try await compare(ledger)
      } catch {
        if let died = DaemonDied(error) { throw died }
        abandon(ledger, error)
      }
    }
    for ledger in ended.suffix(2) {
      do {
        try await compareEnd(ledger)
      } catch {
        if let died = DaemonDied(error) { throw died }
        report(error, ledger)
      }
    }
  }

  private func compare(_ ledger: TreeLedger) async throws -> TreeLedger {
    var ledger = ledger
    let root = try path(of: ledger)
    let standing = try await daemon.standing(of: root)
    let heard = await witness.heard(try Contract.routerPath(of: root))
    let finding = try ledger.isFound(standing, heard: heard)
    record.add { $0.note(finding) }
    return ledger
  }

  /// Who asks for a flow with a token again is answered with the same flow, also when it has ended.
  private func compareEnd(_ ledger: TreeLedger) async throws {
    _ = try await compare(ledger)
    guard case .ended(let end) = ledger.told else { return }
    let again = try await daemon.manager.runFlow(ledger.flow, options: Options(token: ledger.token))
    guard again != end else { return }
    throw Violation(.different, tree: ledger.token, told: "\(end)", found: "RunFlow answers \(again)")
  }

  // MARK: Violations

  /// Plays no longer with a tree that something is wrong with, so that it is said once.
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
