import Glibc
import RendererKit

/// Asks the person at the terminal whether another address is wanted, so that a server that nobody uses does not fill the
/// terminal with addresses.
struct NextAddress: Sendable {
  let announcer: Announcer
  private let input = LineReader(descriptor: STDIN_FILENO)

  /// Creates a question.
  ///
  /// - Parameter announcer: shows the question.
  init(announcer: Announcer) { self.announcer = announcer }

  /// Waits for Enter.
  ///
  /// - Returns: false if nobody can press it any more.
  @Sendable func ask() async -> Bool {
    // A program in the background would be stopped for reading from its terminal.
    guard tcgetpgrp(STDIN_FILENO) == getpgrp() else { return true }
    announcer.announceExpiry()
    let lines = input.lines
    input.request()
    for await line in lines { return line != .end }
    return false
  }
}
