import CoordinatorClient
import Foundation
import Locking
import TestBus

/// Plays a scenario again and again, each time with another operation on a file that fails, and compares.
public struct FaultTrial: Sendable {
  /// What to do.
  public struct Plan: Sendable {
    /// The path of the test daemon.
    public var daemon: String
    /// The path of the library that makes files fail.
    public var injector: String
    /// Where the randomness begins.
    public var seed: UInt64
    /// How many runs at once.
    public var workers: Int
    /// After this time no run is begun.
    public var limit: Duration?
    /// Whether everything is tried.
    public var isComplete: Bool
    /// Whether daemons that cannot take up everything are among those that play.
    public var hasDowngrade: Bool
    /// The only fault to try, instead.
    public var only: Fault?

    /// Puts a plan together.
    public init(
      daemon: String, injector: String, seed: UInt64, workers: Int, limit: Duration? = nil, isComplete: Bool = false,
      hasDowngrade: Bool = true, only: Fault? = nil
    ) {
      (self.daemon, self.injector, self.seed, self.workers, self.limit) = (daemon, injector, seed, workers, limit)
      (self.isComplete, self.hasDowngrade, self.only) = (isComplete, hasDowngrade, only)
    }
  }

  /// What all workers share.
  private struct Progress {
    var report: FaultReport
    var faults: ArraySlice<Fault>
    var number = 0
  }

  private let plan: Plan

  /// A trial that has not begun.
  public init(_ plan: Plan) { self.plan = plan }

  /// Plays the scenario without faults.
  ///
  /// - Returns: Where something is done to a file, by what and how often.
  /// - Throws: As ``run(progress:)``.
  public func sites() async throws -> [FaultSite] {
    try await Recorder.record(programs, hasDowngrade: plan.hasDowngrade).sites
      .sorted { ($0.operation.rawValue, $0.file.rawValue, $1.count) < ($1.operation.rawValue, $1.file.rawValue, $0.count) }
  }

  private var programs: TrialDaemon.Programs { TrialDaemon.Programs(daemon: plan.daemon, injector: plan.injector) }

  /// Runs the trial.
  ///
  /// - Parameter progress: Told of each fault that was not borne, and now and then of what was counted.
  /// - Returns: What was counted, and what is wrong.
  /// - Throws: ``FaultViolation`` if the daemon does not do without any fault what it should; what has nothing to do with the daemon.
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

  /// One worker: a bus, and one run after the other.
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
