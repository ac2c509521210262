import Forms

/// How a program has ended.
package enum ProgramEnding: Sendable, Hashable {
  /// With an exit status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)
  /// It still runs, but no signal of this user reaches it. Its terminal is gone.
  case outOfReach

  /// Reads what `waitpid` reports of a process that has ended.
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status((waitStatus >> 8) & 0xFF) : .signal(signal)
  }

  /// The ending as the control protocol has it.
  var json: JSONValue {
    switch self {
    case .status(let status): ["status": .integer(Int64(status))]
    case .signal(let signal): ["signal": .integer(Int64(signal))]
    case .outOfReach: ["out-of-reach": true]
    }
  }
}
