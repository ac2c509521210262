import Glibc

/// Ways never to return.
enum Endless {
  /// Burns a processor.
  static func spin() -> Never {
    while true {}
  }

  /// Holds its thread without using it.
  static func block() -> Never {
    while true { sleep(1) }
  }
}
