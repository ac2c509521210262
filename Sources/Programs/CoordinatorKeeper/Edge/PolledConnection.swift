import CScripts
import Glibc

/// A connection whose bytes are sent when the other end takes them.
struct PolledConnection {
  /// The most bytes that wait for somebody who does not take them.
  private static let mostWaiting = 32 << 20

  let descriptor: Int32
  let kind: ConnectionRoom.Kind
  private var waiting: [UInt8] = []
  /// Whether the connection ends once everything is sent.
  private(set) var isClosing = false

  init(_ descriptor: Int32, _ kind: ConnectionRoom.Kind) { (self.descriptor, self.kind) = (descriptor, kind) }

  /// Whether bytes wait to be sent.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether so much waits that the other end seems to have stopped.
  var isFull: Bool { waiting.count > Self.mostWaiting }

  /// Sends bytes, now or later. Returns whether the connection is still of use.
  mutating func send(_ bytes: [UInt8]) -> Bool {
    waiting += bytes
    return flush() && !isFull
  }

  /// Sends what the other end takes now. Returns whether the connection is still of use.
  mutating func flush() -> Bool {
    var start = 0
    while start < waiting.count {
      let sent = waiting[start...].withUnsafeBytes { coordinatord_send(descriptor, $0.baseAddress, $0.count, nil, 0) }
      if sent < 0, errno == EAGAIN { break }
      guard sent > 0 else { return false }
      start += sent
    }
    // It may be a secret, whose memory is wiped when it is released.
    if start == waiting.count { waiting = [] } else { waiting.removeFirst(start) }
    return !(isClosing && waiting.isEmpty)
  }

  /// Ends the connection once everything is sent. Returns whether that is later.
  mutating func close() -> Bool {
    isClosing = true
    return flush()
  }
}
