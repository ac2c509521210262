/// The last bytes that a program has written to its terminal.
struct OutputTail: Sendable, Hashable {
  /// The number of bytes that are kept.
  static let limit = 64 * 1024

  private var kept: [UInt8] = []
  /// The number of these bytes that arrived since the last answer.
  private var unanswered = 0

  /// The bytes.
  var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

  /// The bytes since the last answer.
  var sinceAnswer: ArraySlice<UInt8> { kept.suffix(unanswered) }

  /// Appends bytes. They are copied as a whole, without inspecting each one.
  mutating func append(_ bytes: [UInt8]) {
    kept += bytes[max(bytes.count - Self.limit, 0)...]
    unanswered = min(unanswered + bytes.count, Self.limit)
    // Trimmed only occasionally, because moving the bytes takes time.
    if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
  }

  /// Marks all output so far as answered: it no longer contains an open prompt.
  mutating func answered() { unanswered = 0 }

  /// Returns the last lines, safe to show.
  ///
  /// - Parameter count: the maximum number of lines.
  /// - Returns: the lines, without empty ones at the end.
  func lines(_ count: Int) -> [String] { screen.lines.last(count) }

  /// Returns whether there are more lines than the last ones, which a terminal would have scrolled out of view.
  ///
  /// - Parameter count: the number of lines that are shown.
  /// - Returns: whether there are more.
  func hasMore(than count: Int) -> Bool {
    let (lines, isCut) = screen
    return lines.count > count || isCut && lines.count > 1
  }

  /// The screen that a terminal would show for the kept bytes, and whether earlier output is missing.
  private var screen: (lines: TerminalLines, isCut: Bool) {
    var screen = TerminalLines()
    var bytes = kept.suffix(16 * 1024)
    // The kept bytes may begin within an escape sequence.
    let isCut = bytes.count < kept.count
    if isCut, let end = bytes.firstIndex(of: 0x0A) { bytes = bytes[(end + 1)...] }
    screen.write(bytes)
    return (screen, isCut)
  }
}
