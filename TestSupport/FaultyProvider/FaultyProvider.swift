import DBus
import Glibc

/// A provider of the flow `sign-in`, which makes the mistake that its first argument names, or none. The second argument
/// is the version of the flow, the third one the path of a file.
@main
enum FaultyProvider {
  static func main() async throws {
    let arguments = CommandLine.arguments + ["", "1", ""]
    let mistake = Mistake(rawValue: arguments[1])
    if mistake == .keepsLock, !lock(arguments[3]) { exit(1) }
    if mistake == .exitsAfterPause { signal(SIGCONT) { _ in _exit(3) } }
    let connection = try await Connection.open(.session)
    try await Provider(connection, mistake, version: UInt32(arguments[2]) ?? 1).serve()
  }

  /// Creates a file that the next process finds.
  private static func lock(_ path: String) -> Bool { open(path, O_CREAT | O_EXCL, 0o600) >= 0 }
}
