import DBus
import Glibc
import Platform

/// The control group of a program, where systemd runs: without one of its own, the program would end with the terminal's.
struct ProgramScope: Sendable {
  let name: String
  /// A connection to the bus of the user.
  let connection: Connection

  /// How often it is looked whether the process has been moved, 5 ms apart.
  private static let mostLooks = 400

  /// Moves a process that has not started others yet, and waits until it has been moved, or systemd does not do it.
  ///
  /// - Parameter process: the id of the process.
  func take(_ process: pid_t) async {
    // The manager of a user cannot move processes of root.
    let own = geteuid() == 0 ? (try? await Connection.open(.system)) : nil
    if await start(with: process, own ?? connection) {
      for _ in 0..<Self.mostLooks where !has(process) { try? await Task.sleep(for: .milliseconds(5)) }
    }
    await own?.close()
  }

  private var unit: String { "coordinator-program-\(name).scope" }

  /// Has systemd start the scope, and says whether it has begun to.
  private func start(with process: pid_t, _ connection: Connection) async -> Bool {
    let bus = Proxy(
      connection: connection, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus")
    // Where systemd does not run, nobody has to start it for this.
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

  /// Whether a process is in the scope, or has ended.
  private func has(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/cgroup", "re") else { return true }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).bytes.contains("/\(unit)")
  }
}
