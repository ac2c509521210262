import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// Why a command of a tool did not work, as its user reads it.
public struct ToolFailure: Error, Sendable, Hashable {
  /// What to read, without "error:" in front.
  public var lines: [String]
  /// The same for programs.
  public var json: JSONValue
  /// What to exit with.
  public var exit: ToolExit

  /// A failure in words.
  public init(_ lines: [String], exit: ToolExit = .error) {
    self.lines = lines
    self.exit = exit
    json = ["error": ["message": .string(lines.first ?? "")]]
  }

  /// What the daemon or the bus answered, and what can be done about it.
  ///
  /// - Parameters:
  ///   - error: The answer.
  ///   - advice: More lines, for example what would have been possible.
  init(_ error: ClientError, advice: [String] = []) {
    lines = error.lines + advice
    json = JSONValue(error)
    exit = error.exitCode
  }

  /// A flow was not started, since the one of that token has ended.
  init(ended name: String, _ end: FlowEnd) {
    self.init(
      [
        "nothing runs now: '\(name.printable)' has ended before (\(end.name)), and a token names one flow for good",
        "  take another token, or none, to start the flow anew",
      ], exit: .alreadyEnded)
  }

  /// There is no such tree, or more than one.
  init(_ failure: TreeSelector.Failure) {
    self.init(failure.description.split(separator: "\n").map(String.init))
  }

  /// What to print on standard error.
  ///
  /// - Parameters:
  ///   - tool: The name of the tool.
  ///   - output: JSON or text.
  /// - Returns: Lines with their line breaks.
  public func text(tool: String, output: ToolOutput) -> String {
    if output.isJSON { return json.canonicalText + "\n" }
    let first = output.style.alarming("\(tool): ") + (lines.first ?? "")
    return ([first] + lines.dropFirst()).map { $0 + "\n" }.joined()
  }
}
