import ArgumentParser
import BusLoad
import FaultTrial
import Foundation

/// The command that runs the power cut trial.
struct PowerCutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "powercut",
    abstract: "Records what a daemon under load does to its files, and starts it from what a power cut may leave of them.",
    discussion: """
      Clients play as those of `crash` do, and what they are told is recorded together with all that is written and synced. At a power \
      cut everything that was not synced may be lost: writes are dropped, reordered and torn, sizes are old ones, and so are names. Every \
      state is read by the library that the daemon reads it with; from some a daemon is started, and each client makes its last call again.

      Exit status: 0 if nothing acknowledged was lost (but for --sync normal, which may take the last transitions back), nothing was done \
      twice, and every tree is as it really was; 1 otherwise.
      """)

  @Option(help: "Where the randomness begins; how clients meet is never quite the same twice.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "How many states of the disk.")
  var states = 1_000

  @Option(help: "What the daemon waits for before it answers: full, normal.")
  var sync = "full"

  @Flag(help: "Expect of every mode what full keeps, which has to be found out.")
  var strict = false

  @Option(help: "How often the daemon is killed while it is recorded.")
  var kills = 4

  @Option(help: "How many transitions are acknowledged while it is recorded, at least.")
  var transitions = 600

  @Option(help: "Start a daemon from one of so many states.")
  var daemonEvery = 20

  @Option(help: "How many states at once.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Option(help: "The daemon; the one that was built with this program unless given.")
  var daemon: String?

  func validate() throws {
    guard ["full", "normal"].contains(sync) else { throw ValidationError("--sync is full or normal; off promises nothing.") }
    guard states > 0, workers > 0, daemonEvery > 0, kills > 0 else { throw ValidationError("At least one of each.") }
  }

  func run() async throws {
    let programs = Bundle.main.bundleURL
    let trial = PowerCutTrial(
      .init(
        daemon: daemon ?? programs.appending(path: "coordinatord").path,
        injector: programs.appending(path: "lib_fault-injector.so").path, seed: seed, states: states, sync: sync,
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
