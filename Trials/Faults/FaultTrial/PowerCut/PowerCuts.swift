import BusLoad
import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus
import Foundation
import Platform
import TestBus

/// Creates the states of a disk and checks each: all with the journal's library in this process, some also with a
/// daemon.
struct PowerCuts {
  let plan: PowerCutTrial.Plan
  let records: [DiskRecord]
  let calls: [AcknowledgedCall]
  let expected: ExpectedStates
  let place: String

  /// A state to check.
  private struct State: Sendable {
    var cut: CutPlan.Cut
    var files: [String: FileImage]
  }

  func run(
    _ report: PowerCutReport, _ progress: @escaping @Sendable (PowerCutReport) -> Void
  ) async throws -> PowerCutReport {
    let cuts = CutPlan.cuts(
      plan.states, seed: plan.seed, acknowledged: calls.map(\.position),
      synced: records.filter(\.isSync).map(\.sequence), last: records.last?.sequence ?? 0)
    let report = Lock(report)
    var model = DiskModel()
    var next = 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, cut) in cuts.enumerated() where report.withLock({ $0.failures.count < PowerCutTrial.enough }) {
        while next < records.count, records[next].sequence <= cut.position {
          model.apply(records[next])
          next += 1
        }
        let hasSomethingToLose = model.pendingChanges > 0
        report.withLock { if hasSomethingToLose { $0.lossyStates += 1 } }
        var generator = SeededGenerator(seed: cut.seed)
        let state = State(cut: cut, files: model.cut(cut.loss, using: &generator).withoutSharedMemory(using: &generator))
        if index >= plan.workers { try await group.next() }
        group.addTask { try await look(at: state, index, report, progress) }
      }
      try await group.waitForAll()
    }
    return report.withLock { $0 }
  }

  private func look(
    at state: State, _ index: Int, _ report: Lock<PowerCutReport>, _ progress: @Sendable (PowerCutReport) -> Void
  ) async throws {
    let directory = "\(place)/state\(state.cut.number)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let isForDaemon = state.cut.number.isMultiple(of: plan.daemonEvery)
    do {
      try state.files.write(to: directory)
      let counts = try expected.check(
        try await StoredStates("\(directory)/state"), at: state.cut.position, isDurable: plan.isDurable)
      try Audit.checkIntegrity(in: "\(directory)/state")
      if isForDaemon {
        // Undoes the library's changes to the files.
        try state.files.write(to: directory)
        try await DaemonCheck(plan: plan, calls: calls, directory: "\(directory)/state").run(counts)
      }
      let takenBack = counts.reduce(0) { sum, entry in
        sum + max(0, (expected.trees[entry.key]?.positions.prefix { $0 <= state.cut.position }.count ?? 0) - entry.value)
      }
      report.withLock { $0.takenBack = max($0.takenBack, takenBack) }
    } catch {
      let violation = error as? FaultViolation ?? FaultViolation(.other, of: "the state", expected: "usable", found: "\(error)")
      let cut = "cut \(state.cut.number) after record \(state.cut.position), losing \(state.cut.loss)"
      report.withLock { $0.failures.append(PowerCutReport.Failure(cut: cut, violation: violation)) }
    }
    progress(
      report.withLock { report in
        report.states += 1
        if isForDaemon { report.daemons += 1 }
        return report
      })
  }
}

extension [String: FileImage] {
  /// Returns the files with shared-memory files either missing or filled with random bytes, because any part of their memory
  /// may reach the disk.
  fileprivate func withoutSharedMemory(using generator: inout some RandomNumberGenerator) -> [String: FileImage] {
    var files = self
    for name in keys.sorted() where name.hasSuffix("-shm") {
      guard Bool.random(using: &generator) else {
        files[name] = nil
        continue
      }
      let size = files[name]?.bytes.count ?? 0
      files[name] = FileImage(bytes: (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
    return files
  }
}
