import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform

/// The failure of a tool's command, as its user sees it.
public struct ToolFailure: Error, Sendable, Hashable {
  /// The message, without a leading "error:".
  public var lines: [String]
  /// The same information as JSON.
  public var json: JSONValue
  /// The exit code.
  public var exit: ToolExit
  /// The exit code of tools with one code for each cause.
  public var cause: ToolExit
  /// Whether the daemon was called and has left the bus before it replied.
  public private(set) var isDaemonGone = false

  /// Creates a failure from a message.
  ///
  /// - Parameters:
  ///   - lines: message, and lines with advice.
  ///   - exit: exit code.
  ///   - cause: exit code of tools with one code for each cause; by default the same.
  ///   - name: name of the failure for programs; by default that of the cause.
  public init(_ lines: [String], exit: ToolExit = .error, cause: ToolExit? = nil, name: String? = nil) {
    self.lines = lines
    self.exit = exit
    self.cause = cause ?? exit
    json = ["error": ["message": .string(lines.first ?? ""), "name": .string(name ?? self.cause.word)]]
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
    cause = error.cause
    isDaemonGone = error.isDaemonGone && error != .noDaemon
  }

  /// Creates the failure for a selector that matches no tree, or more than one.
  package init(_ failure: TreeSelector.Failure) {
    self.init(failure.description.bytes.split(separator: "\n").map(String.init), cause: failure.cause, name: failure.name)
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
