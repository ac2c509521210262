/// The last bytes that a program has written to its terminal.
struct OutputTail: Sendable, Hashable {
  /// How many bytes are kept.
  static let limit = 64 * 1024

  private var kept: [UInt8] = []
  /// How many of them came since the last answer.
  private var unanswered = 0

  /// The bytes.
  var bytes: ArraySlice<UInt8> { kept.suffix(Self.limit) }

  /// The bytes since the last answer.
  var sinceAnswer: ArraySlice<UInt8> { kept.suffix(unanswered) }

  /// Adds bytes. They are copied as a whole, and not looked at.
  mutating func append(_ bytes: [UInt8]) {
    kept += bytes[max(bytes.count - Self.limit, 0)...]
    unanswered = min(unanswered + bytes.count, Self.limit)
    // Not with each byte: moving them takes time.
    if kept.count > 2 * Self.limit { kept.removeFirst(kept.count - Self.limit) }
  }

  /// Notes that the program has got an answer: what it has printed so far asks nothing any more.
  mutating func answered() { unanswered = 0 }

  /// Returns the last lines, safe to show.
  ///
  /// - Parameter count: the most lines.
  /// - Returns: the lines, without empty ones at the end.
  func lines(_ count: Int) -> [String] { screen.lines.last(count) }

  /// Returns whether there is more than the last lines: what a terminal would have scrolled away.
  ///
  /// - Parameter count: the most lines that are shown.
  /// - Returns: whether there is more.
  func hasMore(than count: Int) -> Bool {
    let (lines, isCut) = screen
    return lines.count > count || isCut && lines.count > 1
  }

  /// What a terminal would show of the end, and whether that is not all.
  private var screen: (lines: TerminalLines, isCut: Bool) {
    var screen = TerminalLines()
    var bytes = kept.suffix(16 * 1024)
    // A line that is cut may begin within an escape sequence.
    let isCut = bytes.count < kept.count
    if isCut, let end = bytes.firstIndex(of: 0x0A) { bytes = bytes[(end + 1)...] }
    screen.write(bytes)
    return (screen, isCut)
  }
}
