import Forms

/// The way in which a program has ended, and the last lines of its output.
package struct ProgramEnd: Sendable, Hashable, Codable {
  /// The way in which a program has ended.
  package enum Cause: Sendable, Hashable, Codable {
    case status(Int)
    case signal(Int)
    /// It still runs as another user, but has lost its terminal.
    case outOfReach
    /// Its keeper has ended, and the state of the program is lost.
    case lost(String)
  }

  package var cause: Cause
  /// The last lines of its output.
  package var lines: [String]
  /// Whether it has printed more than these lines; nil if not.
  package private(set) var isCut: Bool?
  /// The failures during the run, for the administrator; nil if there were none.
  package private(set) var troubles: [String]?

  /// Creates the end of a program whose keeper has ended.
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

  /// The exit status as in a shell; nil if unknown.
  package var status: Int32? {
    switch cause {
    case .status(let status): Int32(clamping: status)
    case .signal(let number): 128 + (Int32(clamping: number) & 0x7F)
    case .outOfReach, .lost: nil
    }
  }

  /// A message for users, with the last lines of the output.
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

  /// The number of lines in a message to users.
  private static let mostLines = 10

  /// The end with only those lines that users see.
  package var shortened: ProgramEnd {
    var end = self
    end.lines = lines.suffix(Self.mostLines)
    return end
  }

  /// The complete reasons of the failures, for the administrator.
  package var reasons: [String] {
    let reasons = troubles ?? []
    return if case .lost(let reason) = cause { reasons + [reason] } else { reasons }
  }
}
