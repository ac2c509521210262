import CoordinatorKit

/// Where a tool writes what it has to say, and how.
public struct ToolOutput: Sendable {
  /// Whether to write JSON, and nothing else.
  public var isJSON: Bool
  /// How text may look.
  public var style: TextStyle
  package let write: @Sendable (String) -> Void

  /// An output that passes each line on, with its line break.
  public init(isJSON: Bool, style: TextStyle, write: @escaping @Sendable (String) -> Void) {
    self.isJSON = isJSON
    self.style = style
    self.write = write
  }

  /// Writes the one or the other.
  func say(_ lines: @autoclosure () -> [String], json: @autoclosure () -> JSONValue) {
    if isJSON {
      write(json().canonicalText + "\n")
    } else {
      for line in lines() { write(line + "\n") }
    }
  }
}
