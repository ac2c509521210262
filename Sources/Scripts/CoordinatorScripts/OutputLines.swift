import Platform

/// Limits the lines that a process writes to the rate that a person could read in the log. A value that returns the lines to
/// pass on.
///
/// A notice reports the number of omitted lines. The last lines of a process always pass, because they say why it has ended.
struct OutputLines: Sendable {
  /// How many lines pass at once, and how many more each second; the same in bytes.
  static let (burst, rate) = (1_000.0, 20.0)
  static let (byteBurst, byteRate) = (256.0 * 1024, 4.0 * 1024)
  /// How many of the last lines pass regardless of the rate.
  static let last = 20
  /// The maximum number of bytes of a line. A longer line is split, and its first part passes.
  static let maxLine = 4_096

  private var rest: [UInt8] = []
  private var lines = burst
  private var bytes = byteBurst
  private var time: ContinuousClock.Instant
  private var dropped: UInt64 = 0
  private var droppedBytes: UInt64 = 0
  /// The newest omitted lines, oldest first, each with its line end.
  private var held: [[UInt8]] = []
  /// The last line that is not blank.
  private(set) var lastLine = ""

  /// Creates a budget.
  ///
  /// - Parameter now: the time.
  init(at now: ContinuousClock.Instant) { time = now }

  /// Takes what a process has written.
  ///
  /// - Parameters:
  ///   - written: the bytes.
  ///   - now: the time.
  /// - Returns: the lines that pass.
  mutating func take(_ written: ArraySlice<UInt8>, at now: ContinuousClock.Instant) -> [String] {
    earn(at: now)
    var passed: [String] = []
    var last: ArraySlice<UInt8> = []
    var start = written.startIndex
    while let end = written[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest.isEmpty ? written[start..<end] : (rest + written[start..<end])[...]
      rest = []
      if !line.isEmpty { last = line }
      take(line, &passed)
      start = end + 1
    }
    rest += written[start...]
    // A line without an end must not fill the memory.
    if rest.count > Self.maxLine {
      last = rest[...]
      take(rest[...], &passed)
      rest = []
    }
    if !last.isEmpty { lastLine = Self.text(last) }
    return passed
  }

  /// Ends the output, because the process writes no more.
  ///
  /// - Returns: the lines that pass.
  mutating func end() -> [String] {
    var passed: [String] = []
    if !rest.isEmpty {
      lastLine = Self.text(rest[...])
      take(rest[...], &passed)
    }
    let left = held.map { Self.text($0[...]) }
    dropped -= UInt64(left.count)
    droppedBytes -= UInt64(held.reduce(0) { $0 + $1.count })
    return passed + notice + left
  }

  /// The notice about omitted lines; empty if no line was omitted.
  private var notice: [String] {
    guard dropped > 0 else { return [] }
    return ["(\(dropped) lines with \(droppedBytes) bytes were left out here: the log takes \(Int(Self.rate)) lines a second)"]
  }

  private mutating func earn(at now: ContinuousClock.Instant) {
    let seconds = time.duration(to: now) / .seconds(1)
    (lines, bytes) = (min(Self.burst, lines + seconds * Self.rate), min(Self.byteBurst, bytes + seconds * Self.byteRate))
    time = now
  }

  private mutating func take(_ line: ArraySlice<UInt8>, _ passed: inout [String]) {
    // Once lines are omitted, wait until there is room for several: otherwise every second line would be a notice.
    let needed = dropped > 0 ? Self.rate : 1
    guard lines >= needed, bytes >= Double(line.count) else {
      dropped += 1
      droppedBytes += UInt64(line.count)
      if held.count == Self.last { held.removeFirst() }
      held.append(Array(line.prefix(1_000)))
      return
    }
    passed += notice
    (dropped, droppedBytes, held) = (0, 0, [])
    (lines, bytes) = (lines - 1, bytes - Double(line.count))
    passed.append(Self.text(line))
  }

  private static func text(_ line: ArraySlice<UInt8>) -> String { String(decoding: line.prefix(1_000), as: UTF8.self) }
}
