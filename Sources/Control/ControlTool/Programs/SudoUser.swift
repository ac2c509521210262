import DBus
import Glibc
import Platform

/// The user who called sudo, as whom this process uses a bus that is theirs: dbus-daemon lets nobody else in, not even
/// root. What it starts as root is still started as root.
public enum SudoUser {
  /// Takes the effective user id of the user who called sudo, if the bus is theirs. Not for a process that other tasks use.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - environment: environment of the process.
  public static func become(for bus: BusAddress, environment: [String: String]) {
    guard geteuid() == 0, case .address(let address) = bus, let path = socket(in: address),
      let user = environment["SUDO_UID"].flatMap({ uid_t($0) }), user != 0
    else { return }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == user else { return }
    seteuid(user)
  }

  /// Runs a closure as root if this process has been started by root.
  static func asRoot<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let user = geteuid()
    guard getuid() == 0, user != 0, seteuid(0) == 0 else { return try body() }
    defer { seteuid(user) }
    return try body()
  }

  /// The path of the socket in the address of a bus.
  static func socket(in address: String) -> String? {
    let pairs = address.bytes.dropping(prefix: "unix:")?.bytes.split(separator: ",") ?? []
    return pairs.lazy.compactMap { $0.bytes.dropping(prefix: "path=") }.first.map(String.init)
  }
}
