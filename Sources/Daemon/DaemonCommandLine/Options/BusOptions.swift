import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon

/// The options that select the bus.
struct BusOptions: ParsableArguments {
  @Option(help: DaemonKey.address.help, transform: DaemonKey.address.argument)
  var address: String?

  @Flag(help: "Serve on the system bus, to root and the daemon's own user; use the configuration in /etc.")
  var system = false

  @Option(help: DaemonKey.group.help, transform: Self.checkGroup)
  var group: String?

  var given: [GivenValue] { [DaemonKey.address.given(address), DaemonKey.group.given(group)].compactMap(\.self) }

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    if group != nil, !system {
      throw ValidationError("--group requires --system: on other buses, only the daemon's own user may call")
    }
  }

  @Sendable private static func checkGroup(_ name: String) throws -> String {
    do {
      return try UserGroup(named: name).name
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
