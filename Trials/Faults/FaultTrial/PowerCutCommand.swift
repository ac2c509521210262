import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that runs the power cut trial.
struct PowerCutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "powercut",
    abstract: "Record the file operations of a daemon under load, and start it from the states that a power cut may leave.",
    discussion: """
      Clients play as in `crash`; what they are told is recorded together with everything that is written and synced. A power \
      cut may lose everything that was not synced: writes are dropped, reordered and torn, and sizes and names revert. Every \
      state is read by the daemon's own storage library; from some states a daemon is started, and each client repeats its \
      last call.

      Exit status: 0 if nothing acknowledged was lost (with --sync normal, the last transitions may be), nothing was done \
      twice, and every tree is in a state that it really had; 1 otherwise.
      """)

  @Option(help: "The random seed. The timing of clients still varies from run to run.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "The number of disk states to try.")
  var states = 1_000

  @Option(help: "The daemon's --sync: full, normal.")
  var sync = "full"

  @Flag(help: "Expect the guarantees of full in every mode; the trial must then detect the loss.")
  var strict = false

  @Option(help: "The number of kills during the recording.")
  var kills = 4

  @Option(help: "The minimum number of transitions acknowledged during the recording.")
  var transitions = 600

  @Option(help: "Start a daemon from one in this many states.")
  var daemonEvery = 20

  @Option(help: "The number of states to check concurrently.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "The daemon; by default, the one built with this program.")
  var daemon: String?

  func validate() throws {
    guard ["full", "normal"].contains(sync) else {
      throw ValidationError("--sync must be full or normal; off guarantees nothing")
    }
    guard states > 0, workers > 0, daemonEvery > 0, kills > 0 else {
      throw ValidationError("--states, --workers, --daemon-every and --kills must be positive")
    }
  }

  func run() async throws {
    let trial = PowerCutTrial(
      .init(
        daemon: try daemon ?? BuiltProgram.path("coordinatord"),
        injector: try BuiltProgram.directory().appending(path: "lib_fault-injector.so").path, seed: seed, states: states,
        sync: sync,
        daemonEvery: daemonEvery, workers: workers, kills: kills, transitions: transitions, isDurable: strict || sync == "full"))
    say("faults powercut --seed \(seed) --states \(states) --sync \(sync)\(strict ? " --strict" : "")")
    let report = try await trial.run { report in
      if report.states == 0 { say("\(report.acknowledged) transitions, \(report.records) records") }
      if report.states > 0, report.states.isMultiple(of: 200) {
        say("\(report.states) states, \(report.failures.count) failures")
      }
    }
    for failure in report.failures.prefix(20) { say("\(failure.cut)\n\(failure.violation)") }
    say("\(report)")
    if !report.failures.isEmpty { throw ExitCode.failure }
  }
}
