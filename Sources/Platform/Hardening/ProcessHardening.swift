import CPlatform
import Glibc

/// Protects the memory and the files of a process that handles secrets.
public enum ProcessHardening {
  /// Prevents the process from leaving a core dump, and other processes of its user from reading its memory (rule 8).
  ///
  /// Source: prctl(2), PR_SET_DUMPABLE.
  ///
  /// - Returns: whether the setting took effect.
  @discardableResult
  public static func forbidDumps() -> Bool { coordinatord_set_dumpable(0) == 0 && coordinatord_get_dumpable() == 0 }

  /// Makes files that the process creates accessible to its user only.
  ///
  /// Source: umask(2).
  public static func keepFilesPrivate() { umask(0o077) }

  /// Turns a write beyond the file size limit into a failed write, like one to a full disk, instead of the end of the
  /// process.
  ///
  /// Source: setrlimit(2), RLIMIT_FSIZE.
  public static func surviveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  /// Overwrites what earlier calls have left on the calling thread's stack: short strings are stored there and never
  /// freed.
  package static func clearStack() { coordinatord_clear_stack() }
}
