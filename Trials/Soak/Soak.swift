import ArgumentParser
import BusLoad
import DBus
import Foundation

/// The command that keeps a daemon under plausible load.
@main
struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Plays all flows of a daemon of its own with several clients, and watches its memory.",
    discussion: """
      Beside the clients there are renderers that attach and detach, one that mirrors what its flow shows, and one that wants to hear \
      everything that the daemon says and never reads. The daemon's memory is compared with what it was after 10 000 transitions, when everything that is kept for a \
      while has filled up: it may have grown by a tenth and 8 MB at most, however long this goes on.

      Exit status: 0 if it has not grown further and exits as it should, 1 otherwise.
      """, subcommands: [Load.self, Restart.self, Greed.self, BlackHole.self], defaultSubcommand: Load.self)
}

/// The subcommand that generates the load.
struct Load: AsyncParsableCommand {
  @Option(help: "How long to go on.")
  var seconds = 600

  @Option(help: "After how many transitions to end before that; nil for never.")
  var transitions: Int?

  @Option(help: "The daemon's --sync.")
  var sync = "full"

  @Option(help: "By how many percent the daemon's resident memory may grow, beside 8 MB.")
  var growth = 10

  @Option(help: "How many clients at once.")
  var clients = 8

  @Option(help: "How many clients beside them make transitions as fast as they can.")
  var hammers = 0

  @Option(help: "The daemon; the one that was built with this program unless given.")
  var daemon: String?

  func run() async throws {
    let directory = Bundle.main.bundleURL
    let daemon = try await LoadedDaemon.start(
      daemon ?? directory.appending(path: "coordinatord").path, ["--log-level", "error", "--sync", sync])
    let run = SoakRun(
      daemon: daemon, program: directory.appending(path: "soak").path, clients: clients, hammers: hammers, growth: growth,
      bound: SoakRun.Bound(end: .now + .seconds(seconds), transitions: transitions ?? .max))
    guard try await run.run() else { throw ExitCode.failure }
  }
}
