import Glibc

/// How the process of a script has ended.
struct ProcessEnd: Sendable, Hashable {
  /// What was wrong, with what it wrote last; nil if it has ended well.
  var problem: String?
  /// Whether it was killed, as the system does when memory is short, and as nobody can do to oneself by a mistake.
  var isKilled = false

  /// Creates an end that nobody has seen.
  init(problem: String) { self.problem = problem }

  /// Reads what waitpid(2) says of a process.
  ///
  /// - Parameters:
  ///   - status: what it says.
  ///   - lastLine: what the process wrote last; "" if it wrote nothing.
  init(status: Int32, lastLine: String) {
    let signal = status & 0x7F
    let exit = (status >> 8) & 0xFF
    guard signal != 0 || exit != 0 else { return }
    let last = lastLine.isEmpty ? "" : ": \(lastLine)"
    problem = signal != 0 ? "the script was ended by signal \(signal)\(last)" : "the script has exited with status \(exit)\(last)"
    isKilled = signal == SIGKILL
  }
}
