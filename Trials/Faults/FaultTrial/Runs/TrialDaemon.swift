import BusLoad
import CoordinatorJournal
import Foundation
import Glibc
import TestBus

/// The daemon under trial: one process after the other, with one state directory.
struct TrialDaemon {
  /// Where the programs are.
  struct Programs: Sendable {
    /// The path of the test daemon.
    var daemon: String
    /// The path of the library that makes files fail.
    var injector: String
  }

  /// It answers nothing for so long only if it hangs.
  static let limit = Duration.seconds(60)

  let programs: Programs
  let bus: PrivateBus
  /// The directory whose files fail; the state directory is in it.
  let directory: String
  let plan: SharedPlan
  private(set) var life: LoadedDaemon?
  /// How many operations had failed when the process was started.
  private var hitsBefore: UInt32 = 0

  init(_ programs: Programs, on bus: PrivateBus, in directory: String, plan: SharedPlan) {
    (self.programs, self.bus, self.directory, self.plan) = (programs, bus, directory, plan)
  }

  /// Where the state is.
  var state: String { "\(directory)/state" }

  /// Whether something has failed in the process that runs, or that has ended last.
  var wasHit: Bool { plan.hits > hitsBefore }

  /// Starts a process.
  ///
  /// - Parameter version: Which daemon.
  /// - Throws: `LoadedDaemon.DidNotStart`.
  mutating func start(_ version: Script.Version) async throws {
    hitsBefore = plan.hits
    life = nil
    life = try await LoadedDaemon.start(
      programs.daemon, ["--state-dir", state, "--log-level", "warning"] + version.options, on: bus,
      environment: ["LD_PRELOAD": programs.injector, "COORDINATORD_FAULT_PLAN": plan.path], limit: Self.limit)
  }

  /// Ends the process.
  ///
  /// - Returns: How it ended; nil if there is none.
  mutating func end(_ ending: Script.Ending) async -> ProgramReport? {
    guard let life else { return nil }
    life.program.signal(ending == .killed ? SIGKILL : SIGTERM)
    return await ended()
  }

  /// Waits for the end of the process; one that does not come to an end is killed.
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

  /// What was moved aside: all that has no name of a journal's files, nor of one that is being made.
  var movedAside: [String] {
    let names = ["", "-wal", "-shm", "-journal"].map { Journal.fileName + $0 } + ["lock"]
    return ((try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []).sorted()
      .filter { !names.contains($0) && !$0.hasPrefix("reserve") && !$0.hasPrefix("\(Journal.fileName).new") }
  }
}
