import Glibc

/// The processes of all scripts that this process plays.
enum StageProcesses {
  /// How long processes have to end by themselves, in turns of 20 ms.
  private static let patience = 300

  /// Kills them.
  static func kill() {
    for process in RunProcesses.all() { Glibc.kill(process, SIGKILL) }
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
