import ArgumentParser
import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc

/// The command that attaches as a renderer, subscribes to all signals, and stops reading for good.
struct BlackHole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "black-hole", abstract: "Attach to a flow and never read.")

  @ArgumentParser.Argument(help: "The bus.")
  var address: String

  @ArgumentParser.Argument(help: "The router's path.")
  var router: String

  func run() async throws {
    let client = try await DaemonClient.connect(to: .address(address))
    let path = try ObjectPath(router)
    let signals = try await client.connection.signals(matching: MatchRule(sender: Contract.busName))
    _ = try await client.router(path).attach(kind: "black-hole")
    say("attached")
    kill(getpid(), SIGSTOP)
    withExtendedLifetime(signals) {}
  }
}
