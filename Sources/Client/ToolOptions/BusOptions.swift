import ArgumentParser
import DBus

/// The options that select the daemon's bus. Every tool that calls the daemon has them.
public struct BusOptions: ParsableArguments {
  @Option(help: "Use the bus at this D-Bus address.")
  private var address: String?

  @Flag(help: "Use the system bus.")
  private var system = false

  /// Creates options that select the session bus.
  public init() {}

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

  /// Rejects a command line that selects two buses.
  public func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
  }
}
