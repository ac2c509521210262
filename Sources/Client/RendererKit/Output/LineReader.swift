import Foundation
import Synchronization

/// Reads lines from a descriptor on a thread of its own, one for each request.
///
/// Nothing is read without a request, so that input typed ahead stays in the terminal's buffer. The thread ends with
/// the input, and otherwise lives as long as the process. Safe to use from any thread.
public final class LineReader: Sendable {
  /// The result of a request.
  public enum Line: Sendable, Hashable {
    /// A line without its line break. Bytes that are not valid UTF-8 are replaced.
    case text(String)
    /// The input has ended.
    case end
  }

  /// The results of the requests, in order. Ends after ``Line/end``.
  public let lines: AsyncStream<Line>

  /// The maximum length of a line, in bytes. Longer lines are split, so that a file without line breaks cannot exhaust
  /// the memory.
  static let longestLine = 1 << 20

  private let requests = DispatchSemaphore(value: 0)

  /// Starts a thread that waits for requests.
  ///
  /// - Parameter descriptor: descriptor to read from; it is not closed.
  public init(descriptor: Int32) {
    let (lines, continuation) = AsyncStream.makeStream(of: Line.self)
    self.lines = lines
    let requests = requests
    Thread.detachNewThread {
      var source = ByteLines(descriptor: descriptor)
      while true {
        requests.wait()
        guard let line = source.next() else { break }
        continuation.yield(.text(line))
      }
      continuation.yield(.end)
      continuation.finish()
    }
  }

  /// Requests one more line.
  public func request() { requests.signal() }
}

/// Splits the input of a descriptor into lines.
struct ByteLines {
  let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line, which may lack a line break at the end of the input, or nil after it. Blocks.
  mutating func next() -> String? {
    while true {
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) { return take(newline, dropping: 1) }
      if bytes.count >= LineReader.longestLine { return take(LineReader.longestLine, dropping: 0) }
      if isAtEnd { return bytes.isEmpty ? nil : take(bytes.count, dropping: 0) }
      readMore()
    }
  }

  private mutating func take(_ count: Int, dropping separators: Int) -> String {
    var line = bytes[..<count]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    bytes.removeFirst(count + separators)
    return text
  }

  private mutating func readMore() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
  }
}
