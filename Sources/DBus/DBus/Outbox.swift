import DequeModule
import Glibc

/// The messages that wait to be written, in order.
///
/// Messages are appended to each other, so that a transition's signals and its reply leave with one system call, and the
/// bus is woken once. The bytes are overwritten when they have been written, since messages may contain secrets.
struct Outbox: ~Copyable {
  /// The result of an attempt to write.
  enum Attempt: Sendable, Hashable {
    /// The queue is empty.
    case wroteAll
    /// The socket currently accepts no more bytes.
    case blocked
    /// The connection is broken.
    case failed
  }

  /// The bodies of large answers and the messages before them. All of them precede ``small``.
  private var large: Deque<[UInt8]> = []
  private var small = WireBuffer()
  /// The number of written bytes of the first part of the queue.
  private var written = 0
  /// The number of bytes that wait.
  private(set) var count = 0

  /// The size in bytes from which a body is sent from its own buffer instead of being copied.
  private static let largeBody = 1 << 16

  /// Appends a checked message, and returns its size in bytes.
  mutating func append(_ message: borrowing OutgoingMessage, serial: UInt32) -> Int {
    let before = small.count
    small.append(message, serial: serial)
    let size = small.count - before
    count += size
    return size
  }

  /// Appends an answer that was made earlier, as the reply to one call, and returns its size in bytes.
  mutating func append(_ answer: MadeAnswer, to sender: String, replyTo call: UInt32, serial: UInt32) -> Int {
    let before = small.count
    let header = OutgoingMessage.reply([], to: call, of: sender)
    small.appendHeader(of: header, serial: serial, before: .init(signature: answer.signature, count: answer.body.count))
    if answer.body.count < Self.largeBody { answer.body.withUnsafeBytes { small.append($0) } }
    var size = small.count - before
    if answer.body.count >= Self.largeBody {
      closeSmall()
      large.append(answer.body)
      size += answer.body.count
    }
    count += size
    return size
  }

  /// Moves the small messages before the large ones that follow.
  private mutating func closeSmall() {
    if large.isEmpty, written > 0 {
      small.removeFirst(written)
      written = 0
    }
    if small.count > 0 { large.append(Array(small.bytes)) }
    small.clear()
  }

  /// Writes as many bytes as the socket accepts.
  mutating func write(to socket: Int32) -> Attempt {
    while count > 0 {
      let sent =
        large.first?.withUnsafeBytes { Self.send($0, after: written, to: socket) }
        ?? Self.send(small.bytes, after: written, to: socket)
      guard sent > 0 else {
        if sent < 0, errno == EINTR { continue }
        makeRoom()
        return sent == 0 || errno == EAGAIN || errno == EWOULDBLOCK ? .blocked : .failed
      }
      written += sent
      count -= sent
      if let first = large.first?.count {
        guard written == first else { continue }
        large.removeFirst()
        written = 0
      }
    }
    small.clear()
    written = 0
    return .wroteAll
  }

  /// Removes the written bytes of the small messages, if they are the larger part.
  private mutating func makeRoom() {
    guard large.isEmpty, written > 1 << 15, written > small.count / 2 else { return }
    small.removeFirst(written)
    written = 0
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, after written: Int, to socket: Int32) -> Int {
    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
    return Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }
}
