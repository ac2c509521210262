import ArgumentParser
import BusLoad
import DBus
import Foundation

/// Keeps a daemon under plausible load.
@main
struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Plays all flows of a daemon of its own with several clients, and watches its memory.",
    discussion: """
      Beside the clients there are renderers that attach and detach, and one that attaches, follows everything that its flow shows and \
      never reads. The daemon's memory is compared with what it was after 10 000 transitions, when everything that is kept for a \
      while has filled up: it may have grown by a tenth and 8 MB at most, however long this goes on.

      Exit status: 0 if it has not grown further and exits as it should, 1 otherwise.
      """, subcommands: [Load.self, BlackHole.self], defaultSubcommand: Load.self)
}

/// The load itself.
struct Load: AsyncParsableCommand {
  @Option(help: "How long to go on.")
  var seconds = 600

  @Option(help: "How many clients at once.")
  var clients = 8

  @Option(help: "The daemon; the one that was built with this program unless given.")
  var daemon: String?

  func run() async throws {
    let directory = Bundle.main.bundleURL
    let daemon = try await LoadedDaemon.start(
      daemon ?? directory.appending(path: "coordinatord").path, ["--log-level", "error"])
    let run = SoakRun(daemon: daemon, program: directory.appending(path: "soak").path, clients: clients)
    guard try await run.run(for: .seconds(seconds)) else { throw ExitCode.failure }
  }
}
