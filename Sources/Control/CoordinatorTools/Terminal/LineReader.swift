import Foundation
import Synchronization

/// Reads lines from a descriptor on a thread of its own, one each time it is asked.
///
/// Nothing is read that nobody asked for, so that what was typed ahead stays where it is. The thread ends with the input.
public final class LineReader: Sendable {
  /// What comes of a request.
  public enum Line: Sendable, Hashable {
    /// A line without its line break; bytes that are not UTF-8 are replaced.
    case text(String)
    /// There are no more lines.
    case end
  }

  /// The answers to the requests, in their order.
  public let lines: AsyncStream<Line>

  /// Longer lines are cut into pieces, so that a file without line breaks cannot use up the memory.
  static let longestLine = 1 << 20

  private let requests = DispatchSemaphore(value: 0)

  /// Starts a thread that waits to be asked.
  ///
  /// - Parameter descriptor: What to read from; stays open.
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

  /// Asks for one line more.
  public func request() { requests.signal() }
}

/// Splits what comes from a descriptor into lines.
struct ByteLines {
  let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line, which may lack a line break at the end of the input; nil after it. Blocks.
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
