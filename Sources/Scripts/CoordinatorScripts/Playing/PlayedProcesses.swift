import Glibc

/// The processes of all scripts that this process plays.
enum PlayedProcesses {
  /// How long processes have to end by themselves, in turns of 20 ms.
  private static let patience = 300

  /// Kills them at once, as a crash of the machine does: all are stopped before the first one is killed, so that none sees the
  /// end of another one, and tells of it, as a shell does.
  static func kill() {
    var stopped: Set<pid_t> = []
    while true {
      let running = RunProcesses.all().subtracting(stopped)
      guard !running.isEmpty else { break }
      for process in running { Glibc.kill(process, SIGSTOP) }
      stopped.formUnion(running)
    }
    for process in stopped { Glibc.kill(process, SIGKILL) }
  }

  /// Waits until they have ended, and kills those that do not.
  static func end() {
    for _ in 0..<patience {
      if RunProcesses.all().isEmpty { return }
      usleep(20_000)
    }
    kill()
  }
}
