import Forms

/// The way in which a program has ended.
package enum ProgramEnding: Sendable, Hashable {
  /// With an exit status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)
  /// It still runs, but no signal of this user reaches it, and its terminal is closed.
  case outOfReach

  /// Reads the status of an ended process, as `waitpid` returns it.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
  }

  /// The ending in the form of the control protocol.
  var json: JSONValue {
    switch self {
    case .status(let status): ["status": .integer(Int64(status))]
    case .signal(let signal): ["signal": .integer(Int64(signal))]
    case .outOfReach: ["out-of-reach": true]
    }
  }
}
