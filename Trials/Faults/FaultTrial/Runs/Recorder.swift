import BusLoad
import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import CrashTrial
import DBus
import TestBus

/// Plays the scenario without faults, and records it.
struct Recorder {
  /// The error for a scenario that fails even without faults.
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private var daemon: TrialDaemon
  private let client: DaemonClient
  private var trees = Script.trees.map { Timeline(token: $0.token, flow: $0.flow) }
  private var keys = 0

  /// Plays the scenario.
  ///
  /// - Parameters:
  ///   - programs: the paths of the programs.
  ///   - hasDowngrade: whether to include daemons that cannot restore all trees.
  /// - Returns: the recording.
  /// - Throws: ``Failed``; ``FaultViolation``; errors of starts and calls.
  static func record(_ programs: TrialDaemon.Programs, hasDowngrade: Bool) async throws -> Recording {
    let bus = try PrivateBus()
    let directory = "\(bus.directory)/recorded"
    let plan = try SharedPlan("\(bus.directory)/plan", below: directory, skippingSync: true)
    let client = try await DaemonClient.connect(to: .address(bus.address))
    var recorder = Recorder(daemon: TrialDaemon(programs, on: bus, in: directory, plan: plan), client: client)
    return try await recorder.play(Script.parts(hasDowngrade: hasDowngrade))
  }

  private init(daemon: TrialDaemon, client: DaemonClient) { (self.daemon, self.client) = (daemon, client) }

  private mutating func play(_ parts: [Script.Part]) async throws -> Recording {
    var recorded: [Recording.Part] = []
    for part in parts {
      try await daemon.start(part.version)
      var comparison = Comparison(client: client, version: part.version, daemon: daemon)
      try await comparison.compare(&trees)
      var calls: [Recording.Call] = []
      for step in part.steps { calls.append(try await play(step)) }
      recorded.append(Recording.Part(version: part.version, calls: calls, ending: part.ending))
      let report = await daemon.end(part.ending)
      let expected: ProgramReport.Status = part.ending == .killed ? .killed(9) : .exited(0)
      guard report?.status == expected else { throw Failed(description: report?.description ?? "no daemon") }
    }
    guard daemon.plan.operations > 0 else {
      throw Failed(description: "\(daemon.programs.injector) is not in the daemon: no operation on a file was counted")
    }
    return Recording(
      trees: trees.map { $0.rewound() }, parts: recorded, history: try Self.history(in: daemon.state),
      sites: daemon.plan.sites, operations: daemon.plan.operations)
  }

  /// Returns the revisions in a history, by tree.
  static func history(in directory: String) throws -> [String: [UInt64]] {
    Dictionary(grouping: try HistoryReader(directory: directory).page().entries) { String($0.root.root) }
      .mapValues { $0.map(\.revision) }
  }

  private mutating func play(_ step: Script.Step) async throws -> Recording.Call {
    let tree = Script.trees[step.tree]
    keys += 1
    let window = trees[step.tree].standing.window
    guard let call = try step.move.call(of: tree, in: window, key: "\(tree.token)-\(keys)") else {
      throw Failed(description: "\(tree.token): \(step.move) has no screen in \(trees[step.tree].standing)")
    }
    let answer = try await client.connection.call(call)
    let root = try Contract.flowPath(root: tree.token)
    var standing = try await client.standing(of: root)
    if step.move.isWork {
      while standing == trees[step.tree].standing {
        try await Task.sleep(for: .milliseconds(5))
        standing = try await client.standing(of: root)
      }
    }
    trees[step.tree].append(standing)
    return Recording.Call(
      tree: step.tree, call: call, answer: answer, target: trees[step.tree].told, isWork: step.move.isWork)
  }
}
