import CLinux
import Glibc

/// What keeps the memory of a process that handles secrets to itself.
public enum ProcessHardening {
  /// Makes the process leave no core dump and let no other process of its user read its memory (rule 8).
  ///
  /// Source: prctl(2), PR_SET_DUMPABLE.
  ///
  /// - Returns: whether the kernel agreed.
  @discardableResult
  public static func forbidDumps() -> Bool { coordinatord_set_dumpable(0) == 0 && coordinatord_get_dumpable() == 0 }

  /// Makes every file that the process creates its user's alone.
  public static func keepFilesPrivate() { umask(0o077) }

  /// Makes a file that may not grow a failed write, as a full disk is, and not the end of the process.
  ///
  /// Source: setrlimit(2), RLIMIT_FSIZE.
  public static func surviveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  /// Overwrites what calls have left on the stack of the thread that this runs on: short strings live there, and are never freed.
  package static func clearStack() { coordinatord_clear_stack() }
}
