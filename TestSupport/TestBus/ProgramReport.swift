/// What a program has printed, and how it ended.
public struct ProgramReport: Error, Sendable, Hashable, CustomStringConvertible {
  /// How a program ended.
  public enum Status: Sendable, Hashable {
    /// By itself, with this exit status.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
  }

  /// How it ended; nil while it runs.
  public internal(set) var status: Status?
  /// Whether it left a dump of its memory when it was killed.
  public internal(set) var hasDumped = false
  /// What it printed.
  public internal(set) var output = ""
  /// What it said on stderr.
  public internal(set) var errors = ""

  /// The lines of the output.
  public var lines: [String] { output.split(whereSeparator: \.isNewline).map(String.init) }

  /// Everything, for the message of a failed test.
  public var description: String {
    "\(status.map { "\($0)" } ?? "still running"), output:\n\(output)\nstderr:\n\(errors)"
  }
}
