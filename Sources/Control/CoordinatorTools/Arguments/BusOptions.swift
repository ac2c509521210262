import ArgumentParser
import DBus

/// Which bus the daemon is on: the options of every tool that talks to one.
public struct BusOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  private var address: String?

  @Flag(help: "Use the system bus.")
  private var system = false

  /// The session bus, unless another one was asked for.
  public init() {}

  /// The bus that was asked for.
  public var chosen: BusAddress {
    if let address { return .address(address) }
    return system ? .system : .session
  }

  /// Refuses to look on two buses.
  public func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address exclude each other") }
  }
}
