import Glibc

/// The bus to connect to.
///
/// Source: D-Bus Specification, "Well-known Message Bus Instances".
public enum BusAddress: Sendable, Hashable {
  /// The user's session bus: `DBUS_SESSION_BUS_ADDRESS`, or else the socket in `XDG_RUNTIME_DIR`.
  case session
  /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else the well-known socket `/var/run/dbus/system_bus_socket`.
  case system
  /// A D-Bus address, such as `unix:path=/run/user/1000/bus`.
  case address(String)

  /// The address to pass to libdbus; nil if the environment names no session bus. A bus is never started for it.
  var resolved: String? {
    switch self {
    case .session:
      Self.environment("DBUS_SESSION_BUS_ADDRESS") ?? Self.environment("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    case .system: Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .address(let address): address
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }
}

extension BusAddress: CustomStringConvertible {
  /// The address that is tried, for error messages.
  public var description: String {
    resolved ?? "the session bus (neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set)"
  }
}
