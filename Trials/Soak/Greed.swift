import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that checks whether clients that read much delay other clients.
struct Greed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Read as much as possible from a daemon with several clients at once, and time the calls of another client.",
    discussion: """
      Two clients each send 64 reads of a flow tree with many screens, and three each send 64 calls of GetManagedObjects, \
      without awaiting any reply. Meanwhile, one client reads a property repeatedly, one ends its 200 flows, one listens, and \
      the daemon reports to its service manager that it is not hung.

      Exit status: 0 if 99 of 100 reads of the property took less than the limit, every signal was received, and the service \
      manager was notified in time; 1 otherwise.
      """)

  @Option(help: "The number of screens of the tree.")
  var screens = 1_000

  @Option(help: "The number of other flows.")
  var flows = 9_000

  @Option(help: "The number of calls that each client sends.")
  var calls = 64

  @Option(help: "The limit, in milliseconds, for 99 of 100 reads of a property.")
  var bound = 100

  @Option(help: "The daemon; by default, the one built with this program.")
  var daemon: String?

  func run() async throws {
    let executable = try daemon ?? BuiltProgram.path("coordinatord")
    let inbox = try NoticeInbox()
    // Without state on disk, because the bus is under test.
    let daemon = try await LoadedDaemon.start(
      executable, ["--log-level", "warning", "--ephemeral"],
      environment: ["NOTIFY_SOCKET": inbox.name, "WATCHDOG_USEC": "\(GreedRun.watchdog.components.seconds * 1_000_000)"])
    let run = GreedRun(daemon: daemon, inbox: inbox, screens: screens, flows: flows, calls: calls)
    guard try await run.run(bound: .milliseconds(bound)) else { throw ExitCode.failure }
  }
}
