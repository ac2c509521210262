import Glibc

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
