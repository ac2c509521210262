import CrashTrial
import Foundation
import Platform
import TestBus

/// A trial that records the file operations of a daemon under load, and starts other daemons from the data that a power cut may
/// leave.
public struct PowerCutTrial: Sendable {
  /// The parameters of a trial.
  public struct Plan: Sendable {
    /// The path of `coordinatord`.
    public var daemon: String
    /// The path of the library that records.
    public var injector: String
    /// The seed of the random choices: of the cuts and of the clients' calls, though not of how the two coincide.
    public var seed: UInt64
    /// The number of states of the disk to check.
    public var states: Int
    /// The value of the daemon's option `--sync`.
    public var sync: String
    /// A daemon is started from one in this many states.
    public var daemonEvery: Int
    /// The number of concurrent checks.
    public var workers: Int
    /// The number of recorded lives of the daemon, not counting the last one.
    public var kills: Int
    /// The minimum number of transitions that are acknowledged during the recording.
    public var transitions: Int
    /// Whether acknowledged calls must be stored after a power cut.
    public var isDurable: Bool

    /// Creates a plan.
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

  /// The error for a load that failed before any power cut.
  struct LoadFailed: Error, CustomStringConvertible {
    let description: String
  }

  /// The number of failures after which the trial ends.
  static let enough = 100

  let plan: Plan

  /// Creates a trial.
  public init(_ plan: Plan) { self.plan = plan }

  /// Runs the trial.
  ///
  /// - Parameter progress: a closure that receives the report so far, after the recording and after each state.
  /// - Returns: the report.
  /// - Throws: errors that are unrelated to power cuts.
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

  /// Records the disk while clients use a daemon, some of whose lives end by a signal.
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
    // The possible states of a tree must follow from its calls alone.
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
  /// Whether the record is a sync.
  var isSync: Bool { if case .sync = change { true } else { false } }
}
