import CoordinatorKit

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
