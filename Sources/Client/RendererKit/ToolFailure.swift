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

/// The capabilities that text may use: Unicode or ASCII for lines and bullets, with or without colors.
public struct TextStyle: Sendable, Hashable {
  /// Whether characters outside ASCII may be used for drawing.
  public var isUnicode: Bool
  /// Whether escape sequences for bold and colored text are supported and requested.
  public var isColoured: Bool

  /// Creates a style; by default plain ASCII without colors.
  public init(isUnicode: Bool = false, isColoured: Bool = false) {
    self.isUnicode = isUnicode
    self.isColoured = isColoured
  }

  /// Creates the style for the environment of a process.
  ///
  /// - Parameters:
  ///   - environment: environment of the process. `LC_ALL`, `LC_CTYPE` and `LANG` determine Unicode; `TERM` and `NO_COLOR`
  ///     determine colors.
  ///   - isTerminal: whether the output is a terminal; there are no colors otherwise.
  public init(environment: [String: String], isTerminal: Bool) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let codeset = locale.bytes.cut(at: ".")?.after.bytes.lowercased ?? ""
    isUnicode = codeset.bytes.hasPrefix("utf-8") || codeset.bytes.hasPrefix("utf8")
    let isWanted = environment["NO_COLOR"]?.isEmpty ?? true
    isColoured = isTerminal && isWanted && Self.understandsEscapes(environment)
  }

  /// Returns whether the terminal named by `TERM` supports escape sequences.
  public static func understandsEscapes(_ environment: [String: String]) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return !terminal.isEmpty && terminal != "dumb"
  }

  /// Formats a heading.
  package func strong(_ text: String) -> String { escaped(text, "1") }

  /// Formats secondary text.
  package func quiet(_ text: String) -> String { escaped(text, "2") }

  /// Formats an error.
  package func alarming(_ text: String) -> String { escaped(text, "31") }

  /// Formats a warning.
  package func warning(_ text: String) -> String { escaped(text, "33") }

  private func escaped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// The destination and format of a tool's output.
public struct ToolOutput: Sendable {
  /// Whether the output consists of JSON only.
  public var isJSON: Bool
  /// The style of text.
  public var style: TextStyle
  /// Writes text, including its line breaks.
  package let write: @Sendable (String) -> Void

  /// Creates an output that passes each line, including its line break, to a closure.
  public init(isJSON: Bool, style: TextStyle, write: @escaping @Sendable (String) -> Void) {
    self.isJSON = isJSON
    self.style = style
    self.write = write
  }

  /// Writes the JSON or the lines, depending on ``isJSON``.
  package func say(_ lines: @autoclosure () -> [String], json: @autoclosure () -> JSONValue) {
    if isJSON {
      write(json().canonicalText + "\n")
    } else {
      for line in lines() { write(line + "\n") }
    }
  }
}
