import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that runs the fault trial.
struct FaultsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults",
    abstract: "Play a scenario repeatedly, each time with another failing operation on the daemon's files.",
    discussion: """
      The scenario is first played without faults, to record its file operations: about two hundred calls on trees with \
      children, drafts, work and secrets, with restarts, including daemons that cannot restore everything. Then it is played \
      with faults: an operation fails once, or from then on until the fault is cleared and the daemon is restarted. At each \
      place in the code, the first, second and last operation fail in every applicable way; then others, as far as the time \
      allows.

      Exit status: 0 if nothing was lost, done twice or deleted, no signal ended a daemon, and NotStored was true; 1 otherwise.
      """)

  @Option(help: "The random seed.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "Start no more runs after this time.")
  var seconds: Int?

  @Flag(help: "Make every operation fail in every applicable way.")
  var all = false

  @Option(help: "Try only this fault, as printed: write-wal-1f3a9c:2:EIO:once")
  var only: Fault?

  @Option(help: "The number of concurrent runs.")
  var workers = ProcessInfo.processInfo.activeProcessorCount

  @Flag(help: "Print the places in the code that operate on files, with counts, and exit without trying faults.")
  var list = false

  @Flag(help: "Skip the daemons that cannot restore everything.")
  var withoutDowngrade = false

  @Option(help: "The test daemon; by default, the one built with this program.")
  var daemon: String?

  func run() async throws {
    let trial = FaultTrial(
      .init(
        daemon: try daemon ?? BuiltProgram.path("FaultDaemon"),
        injector: try BuiltProgram.directory().appending(path: "lib_fault-injector.so").path, seed: seed, workers: workers,
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
