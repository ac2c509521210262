import Glibc

/// The signals that terminal keys send to all processes in the foreground. This process ignores them once an instance is
/// created.
struct KeyboardSignals: Sendable {
  private static let numbers = [SIGINT, SIGQUIT]
  private let actions: [sigaction]

  /// Ignores the signals. Processes that were started before are not affected.
  init() {
    actions = Self.numbers.map { number in
      var ignoring = sigaction()
      ignoring.__sigaction_handler.sa_handler = SIG_IGN
      var before = sigaction()
      sigaction(number, &ignoring, &before)
      return before
    }
  }

  /// Restores the previous handling of the signals.
  func restore() {
    for (number, action) in zip(Self.numbers, actions) {
      var action = action
      sigaction(number, &action, nil)
    }
  }
}
