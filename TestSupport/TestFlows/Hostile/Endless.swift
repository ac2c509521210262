import Glibc

/// Functions that never return.
enum Endless {
  /// Uses all of a processor's time.
  static func spin() -> Never {
    while true {}
  }

  /// Blocks the thread without using processor time.
  static func block() -> Never {
    while true { sleep(1) }
  }
}
