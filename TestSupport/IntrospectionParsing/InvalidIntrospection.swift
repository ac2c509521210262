/// Why a text is no introspection data.
public struct InvalidIntrospection: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line with the fault, counted from 1.
  public let line: Int
  /// What is wrong there.
  public let reason: String

  /// The line and the reason.
  public var description: String { "line \(line): \(reason)" }

  /// A fault at a byte of `text`.
  init(_ reason: String, at offset: Int, in text: [UInt8]) {
    line = 1 + text.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    self.reason = reason
  }
}
