import CScripts
import Glibc

/// A connection that sends its bytes when the peer reads them.
struct PolledConnection {
  /// The maximum number of bytes that wait for a peer that does not read.
  private static let mostWaiting = 32 << 20

  let descriptor: Int32
  let kind: ConnectionRoom.Kind
  private var waiting: [UInt8] = []
  /// Whether the connection closes once everything is sent.
  private(set) var isClosing = false

  init(_ descriptor: Int32, _ kind: ConnectionRoom.Kind) { (self.descriptor, self.kind) = (descriptor, kind) }

  /// Whether bytes wait to be sent.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether so many bytes wait that the peer seems to have stopped.
  var isFull: Bool { waiting.count > Self.mostWaiting }

  /// Sends bytes, now or later. Returns whether the connection is still usable.
  mutating func send(_ bytes: [UInt8]) -> Bool {
    waiting += bytes
    return flush() && !isFull
  }

  /// Sends as many bytes as the peer accepts now. Returns whether the connection is still usable.
  mutating func flush() -> Bool {
    var start = 0
    while start < waiting.count {
      let sent = waiting[start...].withUnsafeBytes { coordinatord_send(descriptor, $0.baseAddress, $0.count, nil, 0) }
      if sent < 0, errno == EAGAIN { break }
      guard sent > 0 else { return false }
      start += sent
    }
    // The bytes may contain a secret; their memory is wiped when it is released.
    if start == waiting.count { waiting = [] } else { waiting.removeFirst(start) }
    return !(isClosing && waiting.isEmpty)
  }

  /// Closes the connection once everything is sent. Returns whether that is later.
  mutating func close() -> Bool {
    isClosing = true
    return flush()
  }
}
