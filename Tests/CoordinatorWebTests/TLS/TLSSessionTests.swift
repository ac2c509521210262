import COpenSSL
import Testing

@testable import TLS

@Suite("Sessions of TLS", .timeLimit(.minutes(5)))
struct TLSSessionTests {
  private let context: TLSContext

  init() throws { context = try TLSContext(.generate(named: "test", for: [.address("192.0.2.7"), .name("kiosk.local")])) }

  @Test(
    "Text goes both ways, and the client sees the certificate whose fingerprint the server shows", arguments: [0, TLS1_2_VERSION])
  func textGoesBothWays(highest: Int32) throws {
    let session = try TLSSession(context)
    let client = try #require(MemoryClient(highest: highest))
    #expect(try client.shakeHands(with: session))
    #expect(client.fingerprint == context.fingerprint)
    client.send("GET /")
    try session.receive(client.outgoing)
    #expect(session.takePlainText(atMost: 3) == Array("GET".utf8))
    #expect(session.takePlainText(atMost: 9) == Array(" /".utf8))
    #expect(session.takePlainText(atMost: 9) == [])
    try session.send(Array("hello".utf8))
    client.receive(session.takeOutgoing())
    #expect(client.read() == "hello")
    SSL_shutdown(client.ssl)
    try session.receive(client.outgoing)
    #expect(session.isOver)
  }

  @Test("What the client sends with the end of its handshake is not lost")
  func firstBytesAreNotLost() throws {
    let session = try TLSSession(context)
    let client = try #require(MemoryClient())
    SSL_do_handshake(client.ssl)
    try session.receive(client.outgoing)
    client.receive(session.takeOutgoing())
    #expect(SSL_do_handshake(client.ssl) == 1)
    client.send("GET / HTTP/1.1")
    // Byte by byte, as a slow network delivers it.
    for byte in client.outgoing { try session.receive([byte]) }
    #expect(session.takePlainText(atMost: 100) == Array("GET / HTTP/1.1".utf8))
  }

  @Test("Versions before 1.2 are refused with an alert to the client")
  func oldVersionsAreRefused() throws {
    let session = try TLSSession(context)
    let client = try #require(MemoryClient(highest: TLS1_1_VERSION))
    SSL_ctrl(client.ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
    SSL_set_cipher_list(client.ssl, "ALL:@SECLEVEL=0")
    #expect(throws: TLSFailure.self) { try client.shakeHands(with: session) }
    // An alert: fatal, protocol version.
    #expect(session.takeOutgoing().suffix(2) == [2, 70])
  }

  @Test("A client that speaks only another protocol is refused, and one that names none is not")
  func protocolsAreChecked() throws {
    let other = try #require(MemoryClient(protocols: Array("\u{3}ftp".utf8)))
    #expect(throws: TLSFailure.self) { try other.shakeHands(with: try TLSSession(context)) }
    let both = try #require(MemoryClient(protocols: Array("\u{2}h2\u{8}http/1.1".utf8)))
    #expect(try both.shakeHands(with: try TLSSession(context)))
    let none = try #require(MemoryClient(protocols: []))
    #expect(try none.shakeHands(with: try TLSSession(context)))
  }

  @Test("Bytes that are not TLS fail, and nothing can be sent before the handshake")
  func otherBytesFail() throws {
    let session = try TLSSession(context)
    #expect(throws: TLSFailure.self) { try session.send([1]) }
    #expect(throws: TLSFailure.self) { try session.receive(Array("GET / HTTP/1.1\r\n\r\n".utf8)) }
    #expect(throws: TLSFailure.self) { try session.receive([0]) }
    for seed in 0..<200 {
      var generator = Repeatable(state: UInt64(seed) + 1)
      let session = try TLSSession(context)
      let client = try #require(MemoryClient())
      SSL_do_handshake(client.ssl)
      var hello = client.outgoing
      for _ in 0..<4 { hello[Int.random(in: 0..<hello.count, using: &generator)] = .random(in: 0...255, using: &generator) }
      do { try session.receive(hello) } catch { continue }
    }
  }

  @Test("A handshake without end is refused")
  func endlessHandshakeIsRefused() throws {
    let session = try TLSSession(context)
    // A record of a handshake message that announces 16 MiB.
    let record: [UInt8] = [22, 3, 1, 0x40, 0] + [1, 0xFF, 0xFF, 0xFF] + Array(repeating: 0, count: 16_380)
    #expect(throws: TLSFailure.self) { for _ in 0..<100 { try session.receive(record) } }
  }

  private struct Repeatable: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }
}
