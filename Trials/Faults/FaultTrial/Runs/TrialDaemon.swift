import BusLoad
import CoordinatorJournal
import Foundation
import Glibc
import TestBus

/// The daemon under trial: a sequence of processes with one state directory.
struct TrialDaemon {
  /// The paths of the programs.
  struct Programs: Sendable {
    /// The path of the test daemon.
    var daemon: String
    /// The path of the library that injects faults.
    var injector: String
  }

  /// The time without an answer after which the daemon counts as hung.
  static let limit = Duration.seconds(60)

  let programs: Programs
  let bus: PrivateBus
  /// The directory whose files are subject to faults; it contains the state directory.
  let directory: String
  let plan: SharedPlan
  private(set) var life: LoadedDaemon?
  /// The number of failed operations when the process was started.
  private var hitsBefore: UInt32 = 0

  init(_ programs: Programs, on bus: PrivateBus, in directory: String, plan: SharedPlan) {
    (self.programs, self.bus, self.directory, self.plan) = (programs, bus, directory, plan)
  }

  /// The path of the state directory.
  var state: String { "\(directory)/state" }

  /// Whether an operation has failed in the current process, or in the last one that ended.
  var wasHit: Bool { plan.hits > hitsBefore }

  /// Starts a process.
  ///
  /// - Parameter version: the version of the daemon.
  /// - Throws: `LoadedDaemon.DidNotStart`.
  mutating func start(_ version: Script.Version) async throws {
    hitsBefore = plan.hits
    life = nil
    life = try await LoadedDaemon.start(
      programs.daemon, ["--state-dir", state, "--log-level", "warning"] + version.options, on: bus,
      environment: ["LD_PRELOAD": programs.injector, "COORDINATORD_FAULT_PLAN": plan.path], limit: Self.limit)
  }

  /// Ends the process and waits for its end.
  ///
  /// - Returns: the report of the process; nil if there is none.
  mutating func end(_ ending: Script.Ending) async -> ProgramReport? {
    guard let life else { return nil }
    life.program.signal(ending == .killed ? SIGKILL : SIGTERM)
    return await ended()
  }

  /// Waits for the end of the process, and kills it if it does not end in time.
  mutating func ended() async -> ProgramReport? {
    guard let life else { return nil }
    self.life = nil
    let killer = Task {
      try await Task.sleep(for: Self.limit)
      life.program.signal(SIGKILL)
    }
    defer { killer.cancel() }
    return await life.ended()
  }

  /// The files in the state directory that were moved aside: those whose names belong neither to a journal nor to one that is
  /// being created.
  var movedAside: [String] {
    let names = ["", "-wal", "-shm", "-journal"].map { Journal.fileName + $0 } + ["lock"]
    return ((try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []).sorted()
      .filter { !names.contains($0) && !$0.hasPrefix("reserve") && !$0.hasPrefix("\(Journal.fileName).new") }
  }
}
