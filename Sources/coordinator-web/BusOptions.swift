import ArgumentParser
import DBus

/// Which bus the daemon is on.
struct BusOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  var address: String?

  @Flag(help: "Use the system bus.")
  var system = false

  var chosen: BusAddress {
    if let address { return .address(address) }
    return system ? .system : .session
  }

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address exclude each other") }
  }
}
