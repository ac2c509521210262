import Forms

/// How a program has ended, and what it printed last.
package struct ProgramEnd: Sendable, Hashable, Codable {
  /// How a program has ended.
  package enum Cause: Sendable, Hashable, Codable {
    case status(Int)
    case signal(Int)
    /// It still runs as another user, but has lost its terminal.
    case outOfReach
    /// Its keeper has gone, and with it whatever it was doing.
    case lost(String)
  }

  package var cause: Cause
  /// The last lines that it printed.
  package var lines: [String]

  /// Creates the end of a program whose keeper has gone.
  package init(lost reason: String) { (cause, lines) = (.lost(reason), []) }

  /// Reads the end of a program.
  init(_ ending: [String: JSONValue], lines: [String]) {
    if let status = ending["status"]?.integer, (0...255).contains(status) {
      cause = .status(Int(clamping: status))
    } else if let signal = ending["signal"]?.integer, (1...64).contains(signal) {
      cause = .signal(Int(clamping: signal))
    } else {
      cause = .outOfReach
    }
    self.lines = lines
  }

  /// The exit status as a shell has it; nil if it is not known.
  package var status: Int32? {
    switch cause {
    case .status(let status): Int32(clamping: status)
    case .signal(let number): 128 + (Int32(clamping: number) & 0x7F)
    case .outOfReach, .lost: nil
    }
  }

  /// What has happened, for people, with the last lines.
  package var message: String {
    let sentence =
      switch cause {
      case .status(let status): "The program has ended with the status \(status)."
      case .signal(let number): "The program was ended by the signal \(number)."
      case .outOfReach: "The program has lost its terminal, and still runs as another user."
      case .lost(let reason): "The program is out of reach: \(reason)."
      }
    return ([sentence] + lines.suffix(10)).joined(separator: "\n")
  }
}
