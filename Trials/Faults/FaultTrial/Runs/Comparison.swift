import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus

/// Compares all trees of a daemon with the states that they may be in.
struct Comparison {
  let client: DaemonClient
  /// The version of the daemon.
  let version: Script.Version
  /// The process of the daemon.
  let daemon: TrialDaemon
  /// Whether the comparison must be repeated with another daemon.
  private(set) var needsAnotherDaemon = false

  init(client: DaemonClient, version: Script.Version, daemon: TrialDaemon) {
    (self.client, self.version, self.daemon) = (client, version, daemon)
  }

  /// Whether an operation has failed in this process, so that it may hold trees or be unable to read them. It still reads them
  /// while it serves.
  private var wasHit: Bool { daemon.wasHit }

  /// Compares the trees.
  ///
  /// - Parameter trees: the timelines of the trees, which the comparison updates.
  /// - Throws: ``FaultViolation``.
  mutating func compare(_ trees: inout [Timeline]) async throws {
    for index in trees.indices where trees[index].possible > 0 || trees[index].isRefused {
      do {
        try await compare(&trees[index])
      } catch let violation as FaultViolation {
        throw violation
      } catch {
        guard wasHit else {
          throw FaultViolation(.other, of: trees[index].token, expected: "that it can be read", found: "\(error)")
        }
        needsAnotherDaemon = true
      }
    }
    guard !needsAnotherDaemon else { return }
    do {
      try await compareList(trees)
    } catch let violation as FaultViolation {
      throw violation
    } catch  where wasHit {
      needsAnotherDaemon = true
    }
  }

  private mutating func compare(_ tree: inout Timeline) async throws {
    let root = try Contract.flowPath(root: tree.token)
    let reason = await held(root)
    if tree.isHeld(by: version) {
      guard let reason else {
        // A daemon that does not hold the tree has ended it.
        try tree.isFound(try await client.standing(of: root))
        throw FaultViolation(.other, of: tree.token, expected: "held by a daemon without its flow", found: "not held")
      }
      return try await checkHeld(tree, root, reason)
    }
    if let reason {
      guard wasHit else { throw FaultViolation(.other, of: tree.token, expected: "not held", found: reason) }
      needsAnotherDaemon = true
      return
    }
    try tree.isFound(try await client.standing(of: root))
  }

  /// Returns the reason why a tree is held; nil if it is not.
  private func held(_ root: ObjectPath) async -> String? {
    let call = MethodCall(
      destination: Contract.busName, path: root, interface: "org.freedesktop.DBus.Properties", member: "Get",
      arguments: [.string(Contract.coordinatorInterface), .string("Held")])
    guard let value = try? await client.connection.call(call).first else { return nil }
    let text = if case .variant(let inner) = value { inner.string } else { value.string }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Checks that a held tree is active, keeps its revision, shows no screen and accepts no event. If no data of a tree can be
  /// read while the fault lasts, its revision is 0.
  private func checkHeld(_ tree: Timeline, _ root: ObjectPath, _ reason: String) async throws {
    let window = try await client.router(Contract.routerPath(of: root)).snapshot()
    let revision = tree.standing.window?.revision
    let isUnread = wasHit && window.revision == 0
    guard window.screens.isEmpty, window.revision == revision || tree.isInDoubt || isUnread else {
      let expected = "held: no screen, and the revision \(revision.map(String.init) ?? "of a tree without a window")"
      throw FaultViolation(.other, of: tree.token, expected: expected, found: "\(window)")
    }
    guard try await client.manager.outcome(of: root) == nil else {
      throw FaultViolation(.deleted, of: tree.token, expected: "active, as it is held", found: "it has ended")
    }
    let event = MethodCall(
      destination: Contract.busName, path: root, interface: Contract.coordinatorInterface, member: "Delegate",
      arguments: [.uint64(0), .string("add"), .vardict([:]), .vardict([:])])
    guard case .held = await CallResult.of(event, on: client.connection) else {
      throw FaultViolation(.other, of: tree.token, expected: "Delegate answered with Held", found: "another answer")
    }
  }

  /// Checks that no flow is missing, and none was started twice.
  private func compareList(_ trees: [Timeline]) async throws {
    let live = Set(try await client.manager.listActive().map { "\($0.token ?? "") \($0.flow)" })
    let certain = Set(trees.filter { $0.everyStanding { $0.window != nil } }.map { "\($0.token) \($0.flow)" })
    let possible = Set(trees.filter { $0.someStanding { $0.window != nil } }.map { "\($0.token) \($0.flow)" })
    if let missing = certain.subtracting(live).first {
      throw FaultViolation(.deleted, of: missing, expected: "in the list of flows", found: "\(live.sorted())")
    }
    if let stranger = live.subtracting(possible).first {
      throw FaultViolation(.doneTwice, of: stranger, expected: "\(possible.sorted())", found: "\(live.sorted())")
    }
  }
}
