import Glibc

/// The signals that a trial sends.
enum Signals {
  static let stop = SIGSTOP
  static let goOn = SIGCONT
  static let end = SIGTERM
}
