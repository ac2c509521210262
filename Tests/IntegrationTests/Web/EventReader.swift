import Foundation
import Glibc

/// A reader of server-sent events from a connection, on a dedicated thread.
actor EventReader {
  private var lines: AsyncStream<String>.Iterator

  init(descriptor: Int32) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes += buffer[..<count]
        while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: bytes[..<end], as: UTF8.self))
          bytes.removeFirst(end + 1)
        }
      }
      close(descriptor)
      continuation.finish()
    }
    lines = stream.makeAsyncIterator()
  }

  /// Returns the data of the next event of a name; nil if the connection ends before.
  func next(_ name: String) async -> String? {
    var iterator = lines
    defer { lines = iterator }
    while let line = await iterator.next(isolation: self) {
      if line == "event: \(name)" { return await iterator.next(isolation: self) }
    }
    return nil
  }
}
