import ArgumentParser
import BusLoad
import Foundation
import TestBus

/// The command that checks whether clients that read much delay other clients.
struct Greed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Read much from a daemon of its own with several clients at once, and time what another client's call takes meanwhile.",
    discussion: """
      Two clients each send 64 reads of a flow tree with many screens, and three each send 64 calls of GetManagedObjects, without awaiting \
      one answer. Meanwhile another client reads a property again and again, one ends its 200 flows, one listens, and the daemon tells its \
      service manager that it has not hung.

      Exit status: 0 if 99 of 100 of the property's reads took less than the bound, every signal was heard, and the service manager was \
      told in time; 1 otherwise.
      """)

  @Option(help: "How many screens the tree has.")
  var screens = 1_000

  @Option(help: "How many flows there are beside it.")
  var flows = 9_000

  @Option(help: "How many calls each of the clients sends.")
  var calls = 64

  @Option(help: "How many milliseconds 99 of 100 reads of a property may take.")
  var bound = 100

  @Option(help: "The daemon; the one that was built with this program unless given.")
  var daemon: String?

  func run() async throws {
    let executable = daemon ?? Bundle.main.bundleURL.appending(path: "coordinatord").path
    let inbox = try NoticeInbox()
    // Without state on disk, because the bus is under test.
    let daemon = try await LoadedDaemon.start(
      executable, ["--log-level", "warning", "--ephemeral"],
      environment: ["NOTIFY_SOCKET": inbox.name, "WATCHDOG_USEC": "\(GreedRun.watchdog.components.seconds * 1_000_000)"])
    let run = GreedRun(daemon: daemon, inbox: inbox, screens: screens, flows: flows, calls: calls)
    guard try await run.run(bound: .milliseconds(bound)) else { throw ExitCode.failure }
  }
}
