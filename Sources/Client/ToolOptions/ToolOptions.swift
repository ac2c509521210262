import ArgumentParser
import CoordinatorBus
import DBus

/// The options that select the daemon's bus, for every tool that calls the daemon.
public struct BusOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  private var address: String?

  @Flag(help: "Use the system bus.")
  private var system = false

  @Option(
    help: ArgumentHelp(
      "Use the daemon of this name: kiosk stands for the bus name org.coordinatord.kiosk. (default: $COORDINATORD_NAME, or coordinatord)"
    ),
    transform: { try DaemonName($0) })
  private var name: DaemonName?

  /// Creates options that select the session bus.
  public init() {}

  /// The daemon that the command line names; nil if it names none.
  public var daemon: DaemonName? { name }

  /// The bus that the command line names; nil if it names none.
  public var given: BusAddress? {
    if let address { return .address(address) }
    return system ? .system : nil
  }

  /// The selected bus.
  public var chosen: BusAddress { given ?? .session }

  /// The arguments with which another tool selects the same bus.
  public var arguments: [String] {
    if let address { return ["--address", address] }
    return system ? ["--system"] : []
  }

  /// Rejects a command line that selects two buses, and selects the daemon for this process and its child processes.
  public func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    do { try DaemonName.choose(orOfEnvironment: name) } catch { throw ValidationError("\(error)") }
  }
}
