import Glibc
import Testing

@testable import DBus

@Suite("The messages that wait to be written", .timeLimit(.minutes(5)))
struct OutboxTests {
  @Test("Messages arrive whole and in order, however little the socket accepts at once")
  func messagesArriveInOrder() throws {
    let pair = try SocketPair()
    var outbox = Outbox()
    var (serial, size) = (UInt32(0), 0)
    var received: [UInt8] = []
    var wasBlocked = false
    for round in 0..<40 {
      for number in 0..<20 {
        serial += 1
        let text = Value.string(String(repeating: "\(number % 10)", count: round * 97))
        size += outbox.append(WireBufferTests.message(number, [text]), serial: serial)
      }
      // A body that is copied, and two that are not.
      for length in [100, 1 << 16, 1 << 19] {
        serial += 1
        let answer = try MadeAnswer([.string(String(repeating: "x", count: length)), .byte(7)], types: "sy", limits: .default)
        size += outbox.append(answer, to: ":1.7", replyTo: 11, serial: serial)
      }
      #expect(outbox.count == size - received.count - pair.unread)
      if outbox.write(to: pair.sender) == .blocked { wasBlocked = true }
      if round.isMultiple(of: 3) { received += pair.read(most: 1 << 20) }
    }
    #expect(wasBlocked)
    while outbox.count > 0 {
      received += pair.read(most: 77_777)
      #expect(outbox.write(to: pair.sender) != .failed)
    }
    received += pair.read(most: .max)
    #expect(received.count == size)
    let messages = try #require(DemarshalledMessage.readAll(received))
    #expect(messages.map(\.serial) == Array(1...serial))
    let answers = messages.filter { $0.values.last == .byte(7) && $0.values.count == 2 }
    #expect(answers.count == 120)
    for answer in answers {
      guard case .methodReturn(to: 11) = answer.kind else {
        Issue.record("a large answer became \(answer.kind)")
        continue
      }
    }
  }

  @Test("What waits is written with one system call")
  func allIsWrittenAtOnce() throws {
    let pair = try SocketPair(isStream: false)
    var outbox = Outbox()
    for number in 0..<4 { _ = outbox.append(WireBufferTests.message(number, [.string("text")]), serial: UInt32(number) + 1) }
    #expect(outbox.write(to: pair.sender) == .wroteAll)
    #expect(outbox.count == 0)
    // Each packet of this kind of socket contains the bytes of one write.
    #expect(DemarshalledMessage.readAll(pair.readOnce())?.map(\.serial) == [1, 2, 3, 4])
  }

  @Test("A broken connection is noticed, and does not end the process")
  func brokenConnectionIsNoticed() throws {
    let pair = try SocketPair()
    pair.closeReceiver()
    var outbox = Outbox()
    _ = outbox.append(WireBufferTests.message(0, []), serial: 1)
    #expect(outbox.write(to: pair.sender) == .failed)
  }
}

/// Two connected sockets.
private final class SocketPair {
  let sender: Int32
  private var receiver: Int32

  init(isStream: Bool = true) throws {
    var files: [Int32] = [-1, -1]
    let kind = isStream ? SOCK_STREAM : SOCK_SEQPACKET
    try #require(socketpair(AF_UNIX, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &files) == 0)
    (sender, receiver) = (files[0], files[1])
  }

  deinit {
    close(sender)
    closeReceiver()
  }

  func closeReceiver() {
    if receiver >= 0 { close(receiver) }
    receiver = -1
  }

  /// The number of bytes that can be read now.
  var unread: Int {
    var count: Int32 = 0
    _ = ioctl(receiver, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Reads once.
  func readOnce() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(receiver, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Reads the available bytes, up to about this many.
  func read(most: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < most {
      let some = readOnce()
      if some.isEmpty { break }
      all += some
    }
    return all
  }
}
