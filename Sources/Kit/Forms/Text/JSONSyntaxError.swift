/// The reason why a text is not JSON. Does not quote the text, which may be confidential.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error.
  package enum Reason: String, Sendable, Hashable {
    /// The text ends within a value, or is empty.
    case end = "the text ends too early"
    /// A character that is not allowed here.
    case character = "an unexpected character"
    /// Bytes that are not UTF-8, or half of a surrogate pair.
    case encoding = "a character that is not valid Unicode"
    /// The name of a member that is canonically equivalent to another one, but has other bytes.
    case name = "a name with the same characters as another one, but with other bytes"
    /// A number that is malformed, or larger than a `Double` can be.
    case number = "an invalid number"
    /// More than 512 levels of arrays and objects.
    case depth = "too many levels of arrays and objects"
  }

  /// The kind of error.
  package let reason: Reason
  /// The position of the error, in bytes from the beginning of the text.
  package let offset: Int
  /// The number of the line, from 1.
  package let line: Int

  /// A message with the reason and the line.
  package var description: String { "\(reason.rawValue) in line \(line)" }
}
