/// Splits the bytes that a program sends into lines that end with LF.
///
/// Truncates lines that are too long, so that a peer cannot exhaust the memory. A truncated line still counts as a line, so
/// that the conversation stays in step.
package struct LineBuffer: Sendable, Hashable {
  /// The maximum number of bytes of a line to keep.
  package let limit: Int
  private var lines: [[UInt8]] = []
  private var next = 0
  private var partial: [UInt8] = []

  /// Creates a buffer.
  package init(limit: Int = 1 << 20) { self.limit = limit }

  /// The bytes after the last line break, which are not a line yet.
  package var rest: [UInt8] { partial }

  /// Adds bytes in the order of arrival.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte == 0x0A {
        lines.append(partial)
        partial = []
      } else if partial.count < limit {
        partial.append(byte)
      }
    }
  }

  /// Removes the first line and returns it without its line break; nil if there is no complete line.
  package mutating func popLine() -> [UInt8]? {
    guard next < lines.count else { return nil }
    defer {
      next += 1
      if next == lines.count { (lines, next) = ([], 0) }
    }
    return lines[next]
  }
}
