import DBus
import Glibc

/// A provider of the flow `sign-in`, which makes the mistake that its first argument names, or none. The second argument
/// is the version of the flow, the third one the path of a file.
enum FaultyProvider {
  static func main() async throws {
    let arguments = CommandLine.arguments + ["", "1", ""]
    let mistake = Mistake(rawValue: arguments[1])
    if mistake == .keepsLock, !lock(arguments[3]) { exit(1) }
    if mistake == .exitsAfterPause { noticePauses() }
    let connection = try await Connection.open(.session)
    try await Provider(connection, mistake, version: UInt32(arguments[2]) ?? 1).serve()
  }

  /// Keeps the signal that ends a pause pending, in all threads that will be started. A handler might run only after another
  /// thread has answered.
  private static func noticePauses() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGCONT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // For a thread that already existed.
    signal(SIGCONT) { _ in _exit(3) }
  }

  /// Whether the process was stopped and has continued.
  static var wasPaused: Bool {
    var signals = sigset_t()
    return sigpending(&signals) == 0 && sigismember(&signals, SIGCONT) == 1
  }

  /// Creates a file that marks this process as the first one. Returns false if it exists already.
  private static func lock(_ path: String) -> Bool { open(path, O_CREAT | O_EXCL, 0o600) >= 0 }
}
