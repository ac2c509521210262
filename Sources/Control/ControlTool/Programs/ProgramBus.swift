import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import RendererKit

/// The bus on which a program is shown.
public enum ProgramBus {
  /// Returns the bus for a program.
  ///
  /// Root has no bus of its own. A program under sudo is shown on the system bus if programs are served there, which a provider
  /// file of the administrator determines, and otherwise to the user who called sudo.
  ///
  /// - Parameters:
  ///   - given: bus of the command line; nil if it names none.
  ///   - environment: environment of the process.
  /// - Returns: the bus.
  public static func chosen(_ given: BusAddress?, environment: [String: String]) async -> BusAddress {
    if let given { return given }
    guard geteuid() == 0, environment["DBUS_SESSION_BUS_ADDRESS"] == nil,
      let user = environment["SUDO_UID"].flatMap({ uid_t($0) })
    else { return .session }
    let own = "/run/user/\(user)/bus"
    if await isServed(.system) || access(own, F_OK) != 0 { return .system }
    return .address("unix:path=\(own)")
  }

  private static func isServed(_ bus: BusAddress) async -> Bool {
    guard let daemon = try? await DaemonClient.connect(to: bus) else { return false }
    let isServed = (try? await daemon.manager.listFlows())?.contains { $0.name == RunningProgram.flow } ?? false
    await daemon.close()
    return isServed
  }
}
