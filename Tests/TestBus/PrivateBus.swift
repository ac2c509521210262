#if canImport(Glibc)
  import Glibc
#endif
import Foundation

/// A dbus-daemon of a test's own: started on a socket nobody else knows, and killed when the value goes away.
///
/// The bus has the session bus's policy, so everything is allowed on it.
public final class PrivateBus: Sendable {
  /// What a client passes to connect to this bus.
  public let address: String
  /// The process id of the dbus-daemon, for tests that kill it.
  public let processIdentifier: Int32

  /// Why a bus could not be started.
  public struct StartFailed: Error {
    /// What dbus-daemon printed instead of its address.
    public let output: String
  }

  /// Starts `dbus-daemon --session --fork`, and waits until it listens.
  ///
  /// - Throws: `StartFailed`, or Foundation's error if there is no `dbus-daemon` on the path.
  public init() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["dbus-daemon", "--session", "--fork", "--print-address=1", "--print-pid=1"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n")
    guard lines.count == 2, let pid = Int32(lines[1]) else { throw StartFailed(output: text) }
    address = String(lines[0])
    processIdentifier = pid
  }

  /// Kills the bus as a crash would.
  public func kill() { _ = Glibc.kill(processIdentifier, SIGKILL) }

  deinit { kill() }
}
