import CPrograms
import Glibc

extension KeeperLoop {
  /// Takes signals: ended children, and signals that end the keeper.
  mutating func takeSignals() {
    var isInterrupted = false
    while true {
      let signal = coordinatord_next_signal(signals)
      if signal == 0 { break }
      // A hang-up of the terminal that the keeper was started on does not concern the program.
      if signal == SIGTERM || signal == SIGINT { isInterrupted = true }
    }
    reap()
    if isInterrupted { take(.interrupted) }
  }

  /// Reaps children, including adopted ones.
  private mutating func reap() {
    while true {
      var status: Int32 = 0
      let child = waitpid(-1, &status, WNOHANG)
      if child < 0, errno == EINTR { continue }
      if child < 0, errno == ECHILD { take(.childless) }
      guard child > 0 else { return }
      guard child == process else { continue }
      let ending = ProgramEnding(waitStatus: status)
      self.ending = ending
      readRest()
      take(.ended(ending))
    }
  }

  /// Reads the output of the program before its end.
  private mutating func readRest() {
    // Bounded, because processes that the program has left behind may print forever.
    for _ in 0..<64 {
      guard hasTerminal else { return }
      var entry = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 else { return }
      readTerminal()
    }
  }
}
