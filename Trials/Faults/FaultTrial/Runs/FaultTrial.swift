import CoordinatorClient
import Foundation
import Platform
import TestBus

/// A trial that plays a scenario again and again, each time with another file operation that fails, and compares the
/// results.
public struct FaultTrial: Sendable {
  /// The parameters of a trial.
  public struct Plan: Sendable {
    /// The path of the test daemon.
    public var daemon: String
    /// The path of the library that injects faults.
    public var injector: String
    /// The seed of the random choices.
    public var seed: UInt64
    /// The number of concurrent runs.
    public var workers: Int
    /// The time after which no further run begins; nil for no limit.
    public var limit: Duration?
    /// Whether to try every possible fault.
    public var isComplete: Bool
    /// Whether the scenario includes daemons that cannot restore all trees.
    public var hasDowngrade: Bool
    /// The only fault to try; nil for all planned ones.
    public var only: Fault?

    /// Creates a plan.
    public init(
      daemon: String, injector: String, seed: UInt64, workers: Int, limit: Duration? = nil, isComplete: Bool = false,
      hasDowngrade: Bool = true, only: Fault? = nil
    ) {
      (self.daemon, self.injector, self.seed, self.workers, self.limit) = (daemon, injector, seed, workers, limit)
      (self.isComplete, self.hasDowngrade, self.only) = (isComplete, hasDowngrade, only)
    }
  }

  /// The state that the workers share.
  private struct Progress {
    var report: FaultReport
    var faults: ArraySlice<Fault>
    var number = 0
  }

  private let plan: Plan

  /// Creates a trial.
  public init(_ plan: Plan) { self.plan = plan }

  /// Plays the scenario without faults.
  ///
  /// - Returns: the places in the code that operate on files, the most frequent first within each operation and kind of
  ///   file.
  /// - Throws: the errors of ``run(progress:)``.
  public func sites() async throws -> [FaultSite] {
    try await Recorder.record(programs, hasDowngrade: plan.hasDowngrade).sites
      .sorted { ($0.operation.rawValue, $0.file.rawValue, $1.count) < ($1.operation.rawValue, $1.file.rawValue, $0.count) }
  }

  private var programs: TrialDaemon.Programs { TrialDaemon.Programs(daemon: plan.daemon, injector: plan.injector) }

  /// Runs the trial.
  ///
  /// - Parameter progress: a closure that receives the report so far, at the start and after each run; the second argument is
  ///   the failure of that run, if any.
  /// - Returns: the report.
  /// - Throws: ``FaultViolation`` if the daemon misbehaves even without a fault; errors that are unrelated to the daemon.
  public func run(progress: @escaping @Sendable (FaultReport, FaultReport.Failure?) -> Void) async throws -> FaultReport {
    let start = ContinuousClock.now
    let programs = programs
    let recording = try await Recorder.record(programs, hasDowngrade: plan.hasDowngrade)
    let planner = FaultPlanner(sites: recording.sites, seed: plan.seed)
    let faults = plan.only.map { [$0] } ?? (plan.isComplete ? planner.all() : planner.chosen())
    var report = FaultReport()
    (report.calls, report.operations, report.sites) = (recording.calls, recording.operations, recording.sites)
    report.planned = faults.count
    progress(report, nil)
    let shared = Lock(Progress(report: report, faults: faults[...]))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...max(1, min(plan.workers, faults.count)) {
        group.addTask { try await work(programs, recording, shared, until: plan.limit.map { start + $0 }, progress) }
      }
      try await group.waitForAll()
    }
    report = shared.withLock(\.report)
    report.duration = .now - start
    return report
  }

  /// Runs one worker: a bus, and one run after another.
  private func work(
    _ programs: TrialDaemon.Programs, _ recording: Recording, _ shared: Lock<Progress>, until end: ContinuousClock.Instant?,
    _ progress: @Sendable (FaultReport, FaultReport.Failure?) -> Void
  ) async throws {
    let bus = try PrivateBus()
    let client = try await DaemonClient.connect(to: .address(bus.address))
    while end.map({ $0 > .now }) ?? true {
      let next = shared.withLock { progress -> (Fault, Int)? in
        progress.number += 1
        return progress.faults.popFirst().map { ($0, progress.number) }
      }
      guard let (fault, number) = next else { break }
      let directory = "\(bus.directory)/run\(number)"
      let path = "\(bus.directory)/plan\(number)"
      let sharedPlan = try SharedPlan(path, below: directory, fault: fault, skippingSync: true)
      var run = FaultRun(
        recording, fault, daemon: TrialDaemon(programs, on: bus, in: directory, plan: sharedPlan), client: client)
      let failure = await Self.violation { try await run.run() }.map { FaultReport.Failure(fault: fault, violation: $0) }
      await run.abandon()
      try? FileManager.default.removeItem(atPath: directory)
      try? FileManager.default.removeItem(atPath: path)
      let report = shared.withLock { progress -> FaultReport in
        progress.report.note(fault, hits: sharedPlan.hits, failure)
        return progress.report
      }
      progress(report, failure)
    }
    await client.close()
  }

  private static func violation(_ body: () async throws -> Void) async -> FaultViolation? {
    do {
      try await body()
      return nil
    } catch let violation as FaultViolation {
      return violation
    } catch {
      return FaultViolation(.other, of: "the daemon", expected: "an answer", found: "\(error)")
    }
  }
}

extension FaultReport {
  fileprivate mutating func note(_ fault: Fault, hits: UInt32, _ failure: Failure?) {
    tried += 1
    failedOperations += Int(hits)
    if hits > 0 {
      injected += 1
      sitesHit.insert(fault.site)
    }
    if let failure { failures.append(failure) }
  }
}
