import DBus
import Glibc
import Platform

/// The user who called sudo. This process uses that user's bus as the user, because dbus-daemon admits no other users, not even
/// root. Programs that were to be started as root are still started as root.
public enum SudoUser {
  /// Sets the effective user id to that of the user who called sudo, if the bus is theirs. Not for a process that other tasks
  /// use.
  ///
  /// - Parameters:
  ///   - bus: bus to connect to.
  ///   - environment: environment of the process.
  public static func become(for bus: BusAddress, environment: [String: String]) {
    guard geteuid() == 0, case .address(let address) = bus, let path = socket(in: address),
      let user = environment["SUDO_UID"].flatMap({ uid_t($0) }), user != 0
    else { return }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == user else { return }
    seteuid(user)
  }

  /// Runs a closure as root if this process was started by root.
  static func asRoot<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let user = geteuid()
    guard getuid() == 0, user != 0, seteuid(0) == 0 else { return try body() }
    defer { seteuid(user) }
    return try body()
  }

  /// Returns the path of the socket in the address of a bus.
  static func socket(in address: String) -> String? {
    let pairs = address.bytes.dropping(prefix: "unix:")?.bytes.split(separator: ",") ?? []
    return pairs.lazy.compactMap { $0.bytes.dropping(prefix: "path=") }.first.map(String.init)
  }
}
