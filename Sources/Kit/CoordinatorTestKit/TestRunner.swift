import Glibc

/// The process that has started the tests.
enum TestRunner {
  private static let process = getppid()

  /// Whether it has ended, for example because it was killed by a signal, which does not reach the process of the tests. The
  /// first call remembers it.
  static var hasEnded: Bool { getppid() != process }
}
