import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that calls everything that a daemon exports on the bus, with random and extreme values.
@main
struct BusFuzzer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bus-fuzzer",
    abstract: "Calls every method of a daemon of its own with random and extreme values, between sensible ones.",
    discussion: """
      Starts a bus and a coordinatord on it. Every call has to be answered, with what the contract documents; the daemon has to live, \
      and its memory has to stay bounded. What is wrong is printed so that busctl can repeat it.

      Exit status: 0 if nothing was wrong, 1 otherwise.
      """)

  @Option(help: "Where the randomness begins; several clients at once are never quite the same twice.")
  var seed: UInt64 = .random(in: 0..<1_000_000)

  @Option(help: "How long to go on.")
  var seconds = 60

  @Option(help: "How many clients at once.")
  var clients = 4

  @Option(help: "By how many MB the daemon may have grown when all flows have ended.")
  var growth = 64

  @Option(help: "The daemon; the one that was built with this program unless given.")
  var daemon: String?

  func run() async throws {
    let program = daemon ?? Bundle.main.bundleURL.appending(path: "coordinatord").path
    say("bus-fuzzer --seed \(seed) --seconds \(seconds) --clients \(clients)")
    // Low limits, so that the fuzzer reaches them.
    let limits = ["--max-flows", "300", "--max-flows-per-client", "150", "--max-depth", "6", "--max-outcomes", "50"]
    let daemon = try await LoadedDaemon.start(program, limits + ["--log-level", "error"])
    let run = FuzzRun(daemon, seed: seed, clients: clients, mostGrowth: growth * 1_024)
    guard try await run.run(for: .seconds(seconds)) else { throw ExitCode.failure }
  }
}
