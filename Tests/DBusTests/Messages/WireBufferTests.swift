import Testing

@testable import DBus

@Suite("Marshalled messages", .timeLimit(.minutes(5)))
struct WireBufferTests {
  @Test("What passes the check is taken by libdbus as it was meant, wherever it begins", arguments: 0..<20 as Range<UInt64>)
  func checkedMessagesAreTakenByLibdbus(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    var buffer = WireBuffer()
    var sent: [OutgoingMessage] = []
    for number in 0..<50 {
      let body = (0..<(number % 4)).map { _ in
        let type = random.type(depth: 4)
        return random.value(of: type, depth: 4)
      }
      let message = Self.message(number, body)
      let before = buffer.bytes.count
      let bound = try message.check(.default)
      buffer.append(message, serial: UInt32(number) + 1)
      #expect(buffer.bytes.count - before <= bound)
      sent.append(message)
    }
    let received = try #require(DemarshalledMessage.readAll(buffer.copy))
    #expect(received.count == sent.count)
    for (number, (received, sent)) in zip(received, sent).enumerated() {
      #expect(received.serial == UInt32(number) + 1)
      #expect(received.values == sent.body)
      #expect(received.interface == sent.interface)
      #expect(received.member == sent.member ?? "")
      #expect(received.path == sent.path ?? .root)
      switch (received.kind, sent.kind) {
      case (.signal, .signal): break
      case (.methodReturn(let one), .methodReturn(let other)): #expect(one == other)
      case (.error(let one, let name), .error(let other, let otherName)): #expect(one == other && name == otherName)
      case (.methodCall(let one), .methodCall(let other, _)): #expect(one == other)
      default: Issue.record("\(sent.kind) became \(received.kind)")
      }
    }
  }

  @Test("Values at the limit of depth are taken by libdbus")
  func deepestValuesAreTaken() throws {
    for deepest in [MeasureTests.variants(64), MeasureTests.vardicts(21)] {
      let message = OutgoingMessage.signal(Signal(path: "/", interface: "a.b", member: "C", body: [deepest]), to: nil)
      try message.check(.default)
      var buffer = WireBuffer()
      buffer.append(message, serial: 1)
      #expect(DemarshalledMessage.readAll(buffer.copy)?.first?.values == [deepest])
    }
  }

  @Test("Bytes that were removed leave the others in place, and alignment is counted from the beginning of a message")
  func removedBytesLeaveOthers() throws {
    var buffer = WireBuffer(capacity: 1)
    let signal = OutgoingMessage.signal(Signal(path: "/a", interface: "a.b", member: "C", body: [.byte(1)]), to: nil)
    buffer.append(signal, serial: 1)
    let odd = buffer.bytes.count
    buffer.append(signal, serial: 2)
    buffer.removeFirst(odd)
    #expect(DemarshalledMessage.readAll(buffer.copy)?.map(\.serial) == [2])
    buffer.clear()
    #expect(buffer.bytes.isEmpty)
    buffer.append(.signal(Signal(path: "/", interface: "a.b", member: "C", body: [Self.long]), to: nil), serial: 3)
    #expect(DemarshalledMessage.readAll(buffer.copy)?.first?.values == [Self.long])
    buffer.clear()
    #expect(buffer.bytes.isEmpty)
  }

  private static let long = Value.string(String(repeating: "x", count: 1 << 20))

  /// Returns a message of each kind in turn.
  static func message(_ number: Int, _ body: [Value]) -> OutgoingMessage {
    switch number % 5 {
    case 0: .signal(Signal(path: "/org/example", interface: "org.example.I", member: "Changed", body: body), to: nil)
    case 1: .signal(Signal(path: "/", interface: "a.b", member: "C", body: body), to: ":1.\(number)")
    case 2: .reply(body, to: UInt32(number) + 7, of: ":1.\(number)")
    case 3: .error(DBusError(name: "org.example.Error", body: body), to: 9, of: number.isMultiple(of: 2) ? "" : ":1.2")
    default:
      .call(
        MethodCall(destination: "org.example", path: "/a_b/c", interface: "org.example.I", member: "Do", arguments: body),
        expectsReply: number.isMultiple(of: 2))
    }
  }
}
