/// The last bytes that a program has written to its terminal.
struct OutputTail: Sendable, Hashable {
  /// How many bytes are kept.
  static let limit = 64 * 1024

  private var kept: [UInt8] = []

  /// The bytes.
  var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

  /// Adds bytes.
  mutating func append(_ bytes: [UInt8]) {
    kept += bytes.suffix(Self.limit)
    // Not with each byte: moving them takes time.
    if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
  }

  /// Returns the last lines, safe to show.
  ///
  /// - Parameter count: the most lines.
  /// - Returns: the lines, without empty ones at the end.
  func lines(_ count: Int) -> [String] {
    var screen = TerminalLines()
    var bytes = kept.suffix(16 * 1024)
    // A line that is cut may begin within an escape sequence.
    if bytes.count < kept.count, let end = bytes.firstIndex(of: 0x0A) { bytes = bytes[(end + 1)...] }
    screen.write(bytes)
    return screen.last(count)
  }
}
