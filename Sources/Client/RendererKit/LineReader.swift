import Dispatch
import Glibc
import Platform

/// Reads lines from a descriptor on a dedicated thread, one for each request.
///
/// Nothing is read without a request, so that input typed ahead stays in the terminal's buffer. The thread ends with the input,
/// and otherwise lives until the process ends. Safe to use from any thread.
public final class LineReader: Sendable {
  /// The result of a request.
  public enum Line: Sendable, Hashable {
    /// A line without its line break. Bytes that are not valid UTF-8 are replaced.
    case text(String)
    /// The input has ended.
    case end
  }

  private struct State: Sendable {
    /// The receiver of the lines, and its number.
    var receiver: AsyncStream<Line>.Continuation?
    var number = 0
    /// The lines that were read while there was no receiver.
    var waiting: [Line] = []
    var isRequested = false
    var isAtEnd = false
  }

  /// The maximum length of a line, in bytes. Longer lines are split, so that a file without line breaks cannot exhaust
  /// the memory.
  static let longestLine = 1 << 20

  private let requests = DispatchSemaphore(value: 0)
  private let state = Lock(State())

  /// Starts a thread that waits for requests.
  ///
  /// - Parameter descriptor: descriptor to read from; it is not closed.
  public init(descriptor: Int32) {
    let isStarted = Thread.start(name: "lines") { [requests, state] in
      Self.admitStops()
      var source = ByteLines(descriptor: descriptor)
      while true {
        requests.wait()
        guard let line = source.next() else { break }
        Self.deliver(.text(line), state)
      }
      Self.deliver(.end, state)
    }
    if !isStarted { Self.deliver(.end, state) }
  }

  /// Lets a terminal stop the process that this thread reads it for while another job has the terminal. Where the signal is
  /// blocked, as in every new thread, the terminal refuses to be read instead, as if the input had ended.
  private static func admitStops() {
    var stops = sigset_t()
    sigemptyset(&stops)
    sigaddset(&stops, SIGTTIN)
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
  }

  /// The results of future requests, in order. Ends after ``Line/end``, which every receiver gets. Meant for one reader at a
  /// time: a new sequence replaces the previous one.
  public var lines: AsyncStream<Line> {
    let (lines, continuation) = AsyncStream.makeStream(of: Line.self)
    let (waiting, number, isAtEnd) = state.withLock { state in
      state.receiver = continuation
      state.number += 1
      defer { state.waiting = [] }
      return (state.waiting, state.number, state.isAtEnd)
    }
    continuation.onTermination = { [state] _ in
      state.withLock { if $0.number == number { $0.receiver = nil } }
    }
    for line in waiting { continuation.yield(line) }
    if isAtEnd { Self.end(continuation) }
    return lines
  }

  /// Whether the input has ended.
  package var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

  /// Requests one more line, unless one is requested already.
  public func request() {
    let isNew = state.withLock { state in
      defer { state.isRequested = true }
      return !state.isRequested
    }
    if isNew { requests.signal() }
  }

  private static func deliver(_ line: Line, _ state: Lock<State>) {
    let receiver = state.withLock { state in
      state.isRequested = false
      if line == .end { state.isAtEnd = true } else if state.receiver == nil { state.waiting.append(line) }
      return state.receiver
    }
    // Not under the lock, because the end of the sequence acquires it again.
    guard let receiver else { return }
    if line == .end { end(receiver) } else { receiver.yield(line) }
  }

  private static func end(_ receiver: AsyncStream<Line>.Continuation) {
    receiver.yield(.end)
    receiver.finish()
  }
}

/// Splits the input of a descriptor into lines.
struct ByteLines {
  let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false
  /// Whether the next bytes belong to an overlong line instead of a new one.
  private var isOverlong = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Returns the next line, which may lack a line break at the end of the input, or nil after it. Blocks.
  mutating func next() -> String? {
    while true {
      if isOverlong { skipLine() }
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) { return take(newline, dropping: 1) }
      if bytes.count >= LineReader.longestLine {
        isOverlong = true
        return take(LineReader.longestLine, dropping: 0)
      }
      if isAtEnd { return bytes.isEmpty ? nil : take(bytes.count, dropping: 0) }
      readMore()
    }
  }

  private mutating func skipLine() {
    while isOverlong {
      if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        bytes.removeFirst(newline + 1)
        isOverlong = false
      } else {
        bytes = []
        if isAtEnd { return }
        readMore()
      }
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

/// The standard streams of the process.
public enum StandardStreams {
  /// Writes to standard output without buffering.
  @Sendable public static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes to standard error without buffering.
  @Sendable public static func complain(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Reads a file to its end, without one trailing line break; for `-`, reads the next line of standard input.
  ///
  /// - Parameter path: path of the file, or `-`.
  /// - Returns: the text, or nil if it cannot be read, if a file exceeds 1 MiB, or if it is not UTF-8.
  @Sendable public static func read(_ path: String) -> String? {
    path == "-" ? readLine() : readAll(path)
  }

  /// Reads the next line of standard input; nil at its end, or if the line exceeds 1 MiB or is not UTF-8.
  private static func readLine() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    // Byte by byte, because the bytes after the line are left to other readers.
    while bytes.count <= LineReader.longestLine {
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, byte != UInt8(ascii: "\n") else {
        if count <= 0, bytes.isEmpty { return nil }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
      }
      bytes.append(byte)
    }
    return nil
  }

  /// Reads a file to its end, without one trailing line break; for `-`, reads all of standard input.
  ///
  /// - Parameters:
  ///   - path: path of the file, or `-`.
  ///   - keepsLineBreak: whether the line break at the end is kept.
  /// - Returns: the text, or nil if it cannot be read, exceeds 1 MiB, or is not UTF-8.
  package static func readAll(_ path: String, keepsLineBreak: Bool = false) -> String? {
    guard path != "-" else { return readToEnd(STDIN_FILENO, keepsLineBreak) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return readToEnd(descriptor, keepsLineBreak)
  }

  private static func readToEnd(_ descriptor: Int32, _ keepsLineBreak: Bool) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= LineReader.longestLine {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count != 0 else {
        if !keepsLineBreak, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
      }
      if count > 0 { bytes += buffer[..<count] } else if errno != EINTR { return nil }
    }
    return nil
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      // The reader has closed the pipe, or the write failed. Like most tools, report nothing.
      guard count > 0 || errno == EINTR else { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }
}
