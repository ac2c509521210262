import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that calls all methods that a daemon exports on the bus, with random and extreme values.
@main
struct BusFuzzer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bus-fuzzer",
    abstract: "Call every method of a daemon with random and extreme values, between sensible ones.",
    discussion: """
      Starts a bus and a coordinatord on it. Every call must be answered as the contract documents, the daemon must not end, \
      and its memory must stay bounded. Findings are printed as busctl commands that repeat them.

      Exit status: 0 if nothing was found, 1 otherwise.
      """)

  @Option(help: "The random seed. Several concurrent clients still vary from run to run.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "The duration of the run, in seconds.")
  var seconds = 60

  @Option(help: "The number of concurrent clients.")
  var clients = 4

  @Option(help: "The memory growth in MB that is allowed after all flows have ended.")
  var growth = 64

  @Option(help: "The daemon; by default, the one built with this program.")
  var daemon: String?

  func run() async throws {
    let program = try daemon ?? BuiltProgram.path("coordinatord")
    say("bus-fuzzer --seed \(seed) --seconds \(seconds) --clients \(clients)")
    // Low limits, so that the fuzzer reaches them.
    let limits = ["--max-flows", "300", "--max-flows-per-client", "150", "--max-depth", "6", "--max-outcomes", "50"]
    let daemon = try await LoadedDaemon.start(program, limits + ["--log-level", "error"])
    let run = FuzzRun(daemon, seed: seed, clients: clients, mostGrowth: growth * 1_024)
    guard try await run.run(for: .seconds(seconds)) else { throw ExitCode.failure }
  }
}
