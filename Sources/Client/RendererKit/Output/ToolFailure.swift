import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// The failure of a tool's command, as its user sees it.
public struct ToolFailure: Error, Sendable, Hashable {
  /// The message, without a leading "error:".
  public var lines: [String]
  /// The same information as JSON.
  public var json: JSONValue
  /// The exit code.
  public var exit: ToolExit

  /// Creates a failure from a message.
  public init(_ lines: [String], exit: ToolExit = .error) {
    self.lines = lines
    self.exit = exit
    json = ["error": ["message": .string(lines.first ?? "")]]
  }

  /// Creates a failure from an error of the daemon or the bus, and adds advice.
  ///
  /// - Parameters:
  ///   - error: error of the call.
  ///   - advice: additional lines, for example the possible alternatives.
  package init(_ error: ClientError, advice: [String] = []) {
    lines = error.lines + advice
    json = JSONValue(error)
    exit = error.exitCode
  }

  /// Creates the failure for a selector that matches no tree, or more than one.
  package init(_ failure: TreeSelector.Failure) {
    self.init(failure.description.split(separator: "\n").map(String.init))
  }

  /// Returns the text to write to standard error.
  ///
  /// - Parameters:
  ///   - tool: name of the tool.
  ///   - output: output that determines whether the text is JSON, and its style.
  /// - Returns: the lines, each with a line break.
  public func text(tool: String, output: ToolOutput) -> String {
    if output.isJSON { return json.canonicalText + "\n" }
    let first = output.style.alarming("\(tool): ") + (lines.first ?? "")
    return ([first] + lines.dropFirst()).map { $0 + "\n" }.joined()
  }
}
