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
  /// Whether it has printed more than these; nil if not.
  package private(set) var isCut: Bool?
  /// What has failed on the way, for who looks after the machine; nil if nothing has.
  package private(set) var troubles: [String]?

  /// Creates the end of a program whose keeper has gone.
  package init(lost reason: String) { (cause, lines) = (.lost(reason), []) }

  /// Reads the end of a program.
  init(_ ending: [String: JSONValue], lines: [String], isCut: Bool? = nil, troubles: [String]? = nil) {
    (self.isCut, self.troubles) = (isCut, troubles)
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
      case .lost: "The program was lost: what kept it has ended."
      }
    return ([sentence] + lines.suffix(Self.mostLines)).joined(separator: "\n")
  }

  /// How many lines people are told.
  private static let mostLines = 10

  /// The end with the lines that people are told, and no more.
  package var shortened: ProgramEnd {
    var end = self
    end.lines = lines.suffix(Self.mostLines)
    return end
  }

  /// The whole reasons for what has failed, for who looks after the machine.
  package var reasons: [String] {
    let reasons = troubles ?? []
    return if case .lost(let reason) = cause { reasons + [reason] } else { reasons }
  }
}
