/// The output of a program and how it ended.
public struct ProgramReport: Error, Sendable, Hashable, CustomStringConvertible {
  /// The way in which a program ended.
  public enum Status: Sendable, Hashable {
    /// The program exited with this status.
    case exited(Int32)
    /// The program was killed by this signal.
    case killed(Int32)
  }

  /// How the program ended; nil while it runs.
  public internal(set) var status: Status?
  /// Whether the program dumped core when it was killed.
  public internal(set) var hasDumped = false
  /// The standard output.
  public internal(set) var output = ""
  /// The standard error output.
  public internal(set) var errors = ""

  /// The non-empty lines of the standard output.
  public var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

  /// The whole report, for the message of a failed test.
  public var description: String {
    "\(status.map { "\($0)" } ?? "still running"), output:\n\(output)\nstderr:\n\(errors)"
  }
}
