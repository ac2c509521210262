/// The error for a document that is not valid introspection data.
public struct InvalidIntrospection: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line of the error, counted from 1.
  public let line: Int
  /// The problem.
  public let reason: String

  /// The line and the reason.
  public var description: String { "line \(line): \(reason)" }

  /// Creates an error at a byte offset of `text`.
  init(_ reason: String, at offset: Int, in text: [UInt8]) {
    line = 1 + text.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    self.reason = reason
  }
}
