import CLinux

/// What keeps the memory of a process that handles secrets to itself.
public enum ProcessHardening {
  /// Makes the process leave no core dump and let no other process of its user read its memory (rule 8).
  ///
  /// Source: prctl(2), PR_SET_DUMPABLE.
  ///
  /// - Returns: whether the kernel agreed.
  @discardableResult
  public static func forbidDumps() -> Bool { coordinatord_set_dumpable(0) == 0 && coordinatord_get_dumpable() == 0 }

  /// Overwrites what calls have left on the stack of the thread that this runs on: short strings live there, and are never freed.
  static func clearStack() { coordinatord_clear_stack() }
}
