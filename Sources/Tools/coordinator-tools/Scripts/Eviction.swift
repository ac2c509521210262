import ArgumentParser

/// When to end the process of a script that waits.
enum Eviction: String, ExpressibleByArgument {
  case patiently, always

  /// How long a process may wait.
  var patience: Duration { self == .always ? .zero : .seconds(60) }
}
