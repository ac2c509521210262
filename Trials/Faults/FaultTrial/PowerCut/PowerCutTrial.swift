import CrashTrial
import Foundation
import Locking
import TestBus

/// Records what a daemon under load does to its files, and starts another one from what a power cut may leave of them.
public struct PowerCutTrial: Sendable {
  /// What to do.
  public struct Plan: Sendable {
    /// The path of `coordinatord`.
    public var daemon: String
    /// The path of the library that records.
    public var injector: String
    /// Where the randomness begins: of the cuts and of what the clients do, though not of how these meet.
    public var seed: UInt64
    /// How many states of the disk to look at.
    public var states: Int
    /// What the daemon waits for before it answers.
    public var sync: String
    /// From one of so many states a daemon is started.
    public var daemonEvery: Int
    /// How many states at once.
    public var workers: Int
    /// How many lives of the daemon are recorded besides the last one.
    public var kills: Int
    /// How many transitions are acknowledged meanwhile, at least.
    public var transitions: Int
    /// Whether what was acknowledged has to be there after a power cut.
    public var isDurable: Bool

    /// Puts a plan together.
    public init(
      daemon: String, injector: String, seed: UInt64, states: Int, sync: String, daemonEvery: Int, workers: Int, kills: Int,
      transitions: Int,
      isDurable: Bool
    ) {
      (self.daemon, self.injector, self.seed, self.states) = (daemon, injector, seed, states)
      (self.sync, self.daemonEvery, self.workers, self.kills) = (sync, daemonEvery, workers, kills)
      (self.transitions, self.isDurable) = (transitions, isDurable)
    }
  }

  /// The load has gone wrong before any power was cut.
  struct LoadFailed: Error, CustomStringConvertible {
    let description: String
  }

  /// So many failures say enough.
  static let enough = 100

  let plan: Plan

  /// A trial that has not begun.
  public init(_ plan: Plan) { self.plan = plan }

  /// Runs the trial.
  ///
  /// - Parameter progress: Told now and then of what was counted.
  /// - Returns: What was counted, and what is wrong.
  /// - Throws: What has nothing to do with power cuts.
  public func run(progress: @escaping @Sendable (PowerCutReport) -> Void) async throws -> PowerCutReport {
    let start = ContinuousClock.now
    let place = FileManager.default.temporaryDirectory.appending(path: "powercut-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let (records, calls) = try await record(in: place)
    var report = PowerCutReport()
    report.records = records.count
    report.syncs = records.count(where: \.isSync)
    (report.acknowledged, report.trees) = (calls.count, Set(calls.map(\.tree)).count)
    progress(report)
    let table = try await StateTable(records, calls, in: place)
    report = try await PowerCuts(plan: plan, records: records, calls: calls, expected: table.expected, place: place)
      .run(report, progress)
    report.duration = .now - start
    return report
  }

  /// Lets clients play with a daemon, some of whose lives end by a signal.
  private func record(in place: String) async throws -> ([DiskRecord], [AcknowledgedCall]) {
    let directory = "\(place)/recorded"
    let output = "\(place)/records"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: output, contents: nil) else { throw LoadFailed(description: "no \(output)") }
    let shared = try SharedPlan("\(place)/plan", below: directory, skippingSync: true)
    let calls = Lock<[AcknowledgedCall]>([])
    var load = CrashTrial.Plan(
      executable: plan.daemon, hasWork: false, kills: plan.kills, seed: plan.seed, longest: .seconds(1),
      options: ["--sync", plan.sync])
    load.environment = [
      "LD_PRELOAD": plan.injector, "COORDINATORD_FAULT_PLAN": shared.path, "COORDINATORD_FAULT_RECORD": output,
    ]
    load.least = plan.transitions
    // What a tree may be is known from its calls alone.
    load.hasCallers = false
    load.stateDirectory = "\(directory)/state"
    load.onAnswer = { token, _, doubt in
      let position = shared.sequence
      let call = AcknowledgedCall(
        tree: token, call: doubt.call, answer: doubt.answer, after: doubt.after, revision: doubt.revision, position: position)
      calls.withLock { $0.append(call) }
    }
    let figures = try await CrashTrial(load).run()
    if let violation = figures.violations.first { throw LoadFailed(description: "\(violation)") }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: output), options: .mappedIfSafe))
    return (try DiskRecord.all(in: bytes), calls.withLock { $0.sorted { $0.position < $1.position } })
  }
}

extension DiskRecord {
  /// Whether something is on the disk after it.
  var isSync: Bool { if case .sync = change { true } else { false } }
}
