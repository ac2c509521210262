import DBus
import Glibc
import Platform

/// The control group of a program, on systems with systemd: without a separate one, the program would end together with the
/// terminal.
struct ProgramScope: Sendable {
  let name: String
  /// A connection to the bus of the user.
  let connection: Connection

  /// The maximum number of checks whether the process has been moved, 5 ms apart.
  private static let mostLooks = 400

  /// Moves a process that has not started other processes yet, and waits until it has been moved, or systemd has refused.
  ///
  /// - Parameter process: id of the process.
  func take(_ process: pid_t) async {
    // A user's systemd manager cannot move processes of root.
    let own = geteuid() == 0 ? (try? await Connection.open(.system)) : nil
    if await start(with: process, own ?? connection) {
      for _ in 0..<Self.mostLooks where !has(process) { try? await Task.sleep(for: .milliseconds(5)) }
    }
    await own?.close()
  }

  private var unit: String { "coordinator-program-\(name).scope" }

  /// Asks systemd to start the scope, and returns whether it has accepted.
  private func start(with process: pid_t, _ connection: Connection) async -> Bool {
    let bus = Proxy(
      connection: connection, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus")
    // On systems without systemd, the bus must not start it for this purpose.
    let owned = try? await bus.call("NameHasOwner", [.string("org.freedesktop.systemd1")]).first
    guard case .boolean(true)? = owned else { return false }
    let manager = Proxy(
      connection: connection, destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
      interface: "org.freedesktop.systemd1.Manager")
    let properties: [Value] = [
      .structure([.string("PIDs"), .variant(.array(of: .uint32, [.uint32(UInt32(process))]))]),
      .structure([.string("Description"), .variant(.string("A program of coordinatorctl exec"))]),
    ]
    let reply = try? await manager.call(
      "StartTransientUnit",
      [
        .string(unit), .string("fail"), .array(of: .structure([.string, .variant]), properties),
        .array(of: .structure([.string, .array(.structure([.string, .variant]))]), []),
      ], deadline: .seconds(5))
    return reply != nil
  }

  /// Returns whether a process is in the scope, or has ended.
  private func has(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/cgroup", "re") else { return true }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).bytes.contains("/\(unit)")
  }
}
