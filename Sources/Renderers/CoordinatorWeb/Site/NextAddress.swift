import Glibc
import Platform

/// Asks the user at the terminal whether another address is needed, so that an unused server does not fill the terminal with
/// addresses.
struct NextAddress: Sendable {
  let announcer: Announcer

  /// Creates a question.
  ///
  /// - Parameter announcer: announcer that shows the question.
  init(announcer: Announcer) { self.announcer = announcer }

  /// Waits for Enter.
  ///
  /// - Returns: false if no user can press it any more.
  @Sendable func ask() async -> Bool {
    guard Self.isInForeground else { return true }
    // If the process is put into the background while it waits, reading from the terminal would stop it. With the signal
    // ignored, the read fails instead.
    signal(SIGTTIN, SIG_IGN)
    // Keys that were pressed before the question do not answer it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    announcer.announceExpiry()
    return await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "enter") { continuation.resume(returning: Self.readLine()) }
      if !isStarted { continuation.resume(returning: false) }
    }
  }

  private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Reads a line of the terminal, or until another process group has the terminal. Blocks.
  private static func readLine() -> Bool {
    var line = [UInt8](repeating: 0, count: 1024)
    var count: Int
    repeat { count = read(STDIN_FILENO, &line, line.count) } while count < 0 && errno == EINTR
    return count > 0 || (count < 0 && !isInForeground)
  }
}
