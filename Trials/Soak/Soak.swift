import ArgumentParser
import BusLoad
import DBus
import Foundation
import TestBus

/// The command that keeps a daemon under plausible load.
@main
struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Play all flows of a daemon with several clients, and monitor its memory.",
    discussion: """
      Besides the clients, there are renderers that attach and detach, one that mirrors what its flow shows, and one that \
      subscribes to every signal and never reads. The daemon's memory is compared with its memory after 10 000 transitions, when \
      everything that is kept for a while has reached its limit: however long the run takes, it may grow by at most 10 % and 8 MB.

      Exit status: 0 if the memory stayed within the limit and the daemon exited cleanly, 1 otherwise.
      """, subcommands: [Load.self, Restart.self, Greed.self, BlackHole.self], defaultSubcommand: Load.self)
}

/// The subcommand that generates the load.
struct Load: AsyncParsableCommand {
  @Option(help: "The duration of the run, in seconds.")
  var seconds = 600

  @Option(help: "End earlier, after this number of transitions.")
  var transitions: Int?

  @Option(help: "The daemon's --sync.")
  var sync = "full"

  @Option(help: "The growth of the daemon's resident memory that is allowed, in percent, in addition to 8 MB.")
  var growth = 10

  @Option(help: "The number of concurrent clients.")
  var clients = 8

  @Option(help: "The number of additional clients that make transitions as fast as they can.")
  var hammers = 0

  @Option(help: "The daemon; by default, the one built with this program.")
  var daemon: String?

  func run() async throws {
    let daemon = try await LoadedDaemon.start(
      try daemon ?? BuiltProgram.path("coordinatord"), ["--log-level", "error", "--sync", sync])
    let run = SoakRun(
      daemon: daemon, program: try BuiltProgram.path("soak"), clients: clients, hammers: hammers, growth: growth,
      bound: SoakRun.Bound(end: .now + .seconds(seconds), transitions: transitions ?? .max))
    guard try await run.run() else { throw ExitCode.failure }
  }
}
