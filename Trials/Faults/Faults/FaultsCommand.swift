import ArgumentParser
import BusLoad
import FaultTrial
import Foundation

/// The command that runs the fault trial.
struct FaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Plays a scenario again and again, each time with another operation on the daemon's files that fails.",
    discussion: """
      The scenario is played once without faults, to see which operations there are: about two hundred calls on trees with children, \
      drafts, work and secrets, with restarts, and with daemons in between that cannot take up everything. Then it is played with a fault: \
      an operation fails once, or from then on until the fault is gone and the daemon is started again. At each place in the code the \
      first operation, the second and the last fail in every way that fits them; then others, as far as the time goes.

      Exit status: 0 if nothing was lost, done twice or deleted, no signal has ended a daemon, and NotStored was true; 1 otherwise.
      """)

  @Option(help: "Where the randomness begins.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "Begin no further run after this time.")
  var seconds: Int?

  @Flag(help: "Let every operation fail, in every way that fits it.")
  var all = false

  @Option(help: "Try this fault alone, as it was printed: write-wal-1f3a9c:2:EIO:once")
  var only: Fault?

  @Option(help: "How many runs at once.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "Print where in the code something is done to a file, and how often, and try nothing.")
  var list = false

  @Flag(help: "Leave out the daemons that cannot take up everything.")
  var withoutDowngrade = false

  @Option(help: "The test daemon; the one that was built with this program unless given.")
  var daemon: String?

  func run() async throws {
    let programs = Bundle.main.bundleURL
    let trial = FaultTrial(
      .init(
        daemon: daemon ?? programs.appending(path: "FaultDaemon").path,
        injector: programs.appending(path: "lib_fault-injector.so").path, seed: seed, workers: workers,
        limit: seconds.map { .seconds($0) }, isComplete: all, hasDowngrade: !withoutDowngrade, only: only))
    if list { return try await trial.sites().forEach { say("\($0)") } }
    let options = (all ? " --all" : "") + (withoutDowngrade ? " --without-downgrade" : "")
    say("faults faults --seed \(seed)\(options)\(only.map { " --only \($0)" } ?? "")")
    let program = CommandLine.arguments.first ?? "faults"
    let report = try await trial.run { report, failure in
      if let failure {
        say(
          "\(failure.violation)\n  again:    \(program) faults\(withoutDowngrade ? " --without-downgrade" : "") --only \(failure.fault)"
        )
      } else if report.tried.isMultiple(of: 50) {
        say("\(report.tried) of \(report.planned) runs, \(report.failures.count) failures")
      }
    }
    say("\(report)")
    if !report.failures.isEmpty { throw ExitCode.failure }
  }
}

extension Fault: ExpressibleByArgument {}
