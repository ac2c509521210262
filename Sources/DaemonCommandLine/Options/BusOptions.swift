import ArgumentParser
import CoordinatorDaemon
import DBus

/// Which bus to serve on.
struct BusOptions: ParsableArguments {
  @Option(help: "Serve on the bus at this D-Bus address, for the daemon's own user alone.")
  var address: String?

  @Flag(help: "Serve on the system bus, for root and the daemon's own user.")
  var system = false

  @Option(help: "With --system: serve the members of this group as well.", transform: UserGroup.argument)
  var group: UserGroup?

  var chosen: BusAddress {
    if let address { return .address(address) }
    return system ? .system : .session
  }

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address exclude each other") }
    if group != nil, !system { throw ValidationError("--group needs --system: elsewhere only the daemon's own user may call") }
  }
}

extension UserGroup {
  /// Reads an argument.
  @Sendable fileprivate static func argument(_ name: String) throws -> UserGroup {
    do {
      return try UserGroup(named: name)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
