import Platform

/// What is wrong with files, so that a file is not asked again, and nobody is told twice. May be used from any thread.
final class ScriptFaults: Sendable {
  private struct Fault: Sendable {
    var digest: String
    var error: UnreadableScript
    var isTold = false
  }

  private let faults = Lock<[String: Fault]>([:])
  /// The files that were too slow, which may be quicker next time.
  private let slow = Lock<Set<String>>([])

  /// Whether a file has been too slow since this was asked last.
  func takeSlow() -> Bool {
    slow.withLock { slow in
      defer { slow = [] }
      return !slow.isEmpty
    }
  }

  /// What is wrong with a file of this content; nil if that is not known.
  func known(_ path: String, digest: String) -> UnreadableScript? {
    faults.withLock { faults in faults[path].flatMap { $0.digest == digest ? $0.error : nil } }
  }

  /// Remembers what is wrong with a file of this content.
  func remember(_ error: UnreadableScript, of path: String, digest: String) {
    if error.isSlow {
      slow.withLock { _ = $0.insert(path) }
    } else {
      faults.withLock { $0[path] = Fault(digest: digest, error: error) }
    }
  }

  /// Returns whether somebody has to be told of an error, from now on no more.
  func isNew(_ error: UnreadableScript, of path: String) -> Bool {
    faults.withLock { faults in
      guard faults[path]?.error == error else { return true }
      defer { faults[path]?.isTold = true }
      return faults[path]?.isTold == false
    }
  }
}
