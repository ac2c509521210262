import DBus
import TestBus
import Testing

@Suite("Hostile clients", .timeLimit(.minutes(5)))
struct HostileTests {
  private static func call(
    _ member: String = "Echo", _ signature: String = "v", _ body: RawBody, path: String = SampleObject.path.string,
    interface: String? = SampleObject.name
  ) -> RawMessage {
    RawMessage.call(to: SampleObject.name, path, interface, member, signature, body)
  }

  /// Returns a variant nested in variants, `depth` times.
  private static func variants(_ depth: Int) -> RawBody {
    (0..<depth).reduce(RawBody()) { body, _ in body.signature("v") }.signature("y").u8(1)
  }

  private static let bytes = RawBody().signature("y").u8(1)

  /// Messages that either reach the service or are rejected by the bus.
  static let messages: [(String, RawMessage)] = [
    ("deep variants", call("Echo", "v", variants(62))),
    ("too deep variants", call("Echo", "v", variants(64))),
    ("far too deep variants", call("Echo", "v", variants(100_000))),
    ("deep signature", call("Echo", String(repeating: "a", count: 32) + "y", RawBody().u32(0))),
    ("too deep signature", call("Echo", String(repeating: "a", count: 33) + "y", RawBody().u32(0))),
    (
      "deep structures",
      call("Echo", String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33), RawBody().u8(1))
    ),
    ("wrong signature", call("Echo", "a{", RawBody().u32(0))),
    ("wrong variant signature", call("Echo", "v", RawBody().signature("yy").u8(1).u8(1))),
    ("empty variant signature", call("Echo", "v", RawBody().signature(""))),
    ("other signature", call("Echo", "s", RawBody().text("x"))),
    ("no arguments", call("Echo", "", RawBody())),
    ("too many arguments", call("Echo", "vv", bytes.signature("y").u8(2))),
    ("bad UTF-8", call("Fail", "s", RawBody().text8([0xC3, 0x28, 0xFF]))),
    ("surrogates", call("Fail", "s", RawBody().text8([0xED, 0xA0, 0x80]))),
    ("NUL in a string", call("Fail", "s", RawBody().text8([0x61, 0, 0x62]))),
    ("string length that lies", call("Fail", "s", RawBody().u32(0xFFFF_FFFF).raw([0x61, 0]))),
    ("array length that lies", call("Echo", "ay", RawBody().u32(64 << 20))),
    ("array longer than allowed", call("Echo", "ay", RawBody().u32((64 << 20) + 1))),
    ("boolean 2", call("Echo", "v", RawBody().signature("b").aligned(4).u32(2))),
    ("bad object path", call("Echo", "v", RawBody().signature("o").aligned(4).text("//"))),
    ("unix descriptor without one", call("Echo", "v", RawBody().signature("h").aligned(4).u32(7))),
    ("path that is none", call("Echo", "v", bytes, path: "no/path")),
    ("empty path", call("Echo", "v", bytes, path: "")),
    ("endless path", call("Echo", "v", bytes, path: String(repeating: "/a", count: 100_000))),
    ("local path", call("Echo", "v", bytes, path: "/org/freedesktop/DBus/Local")),
    ("local interface", call("Disconnected", "", RawBody(), interface: "org.freedesktop.DBus.Local")),
    ("no interface", call("Echo", "v", bytes, interface: nil)),
    ("interface that is none", call("Echo", "v", bytes, interface: "x")),
    ("unknown interface", call("Echo", "v", bytes, interface: "x.y")),
    ("empty member", call("", "v", bytes)),
    ("endless member", call(String(repeating: "m", count: 256), "v", bytes)),
    ("unknown member", call("Nope", "v", bytes)),
    ("message type 0", RawMessage(kind: 0, fields: call("Echo", "v", bytes).fields, signature: "v", body: bytes)),
    ("message type 9", RawMessage(kind: 9, fields: call("Echo", "v", bytes).fields, signature: "v", body: bytes)),
    ("all flags", RawMessage(flags: 0xFF, fields: call("Echo", "v", bytes).fields, signature: "v", body: bytes)),
    ("unknown header field", RawMessage(fields: call().fields + [(77, "s", "x")])),
    ("sender that is somebody else", RawMessage(fields: call().fields + [(7, "s", ":1.0")])),
    ("reply to nothing", RawMessage(kind: 2, fields: [(6, "s", SampleObject.name)], replySerial: 1)),
    ("error to nothing", RawMessage(kind: 3, fields: [(4, "s", "a.b"), (6, "s", SampleObject.name)], replySerial: 2)),
    (
      "signal to the service",
      RawMessage(kind: 4, fields: [(1, "o", "/"), (2, "s", "a.b"), (3, "s", "C"), (6, "s", SampleObject.name)])
    ),
    (
      "false NameOwnerChanged",
      RawMessage(
        kind: 4,
        fields: [
          (1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (3, "s", "NameOwnerChanged"),
          (6, "s", SampleObject.name),
        ], signature: "i", body: RawBody().u32(1))
    ),
    ("body shorter than said", RawMessage(fields: call().fields, signature: "v", body: bytes, claimedLength: 1000)),
    ("body longer than said", RawMessage(fields: call().fields, signature: "v", body: bytes, claimedLength: 1)),
    ("body of 4 GiB", RawMessage(fields: call().fields, signature: "v", body: bytes, claimedLength: 0xFFFF_FFFF)),
    ("Set with a variant in a variant", call("Set", "ssv", RawBody().text("").text("Level").signature("v").signature("u"))),
    ("Get with nothing", RawMessage.call(to: SampleObject.name, "/", "org.freedesktop.DBus.Properties", "Get")),
  ]

  private static func call() -> RawMessage { call("Echo", "v", bytes) }

  @Test("The service survives malformed and extreme messages")
  func serviceSurvivesMalformedMessages() async throws {
    let bus = try await SampleBus()
    for (name, message) in Self.messages {
      let client = try RawClient(bus.bus.address)
      // The bus may close the connection in the middle of a message.
      try? client.send(message)
      #expect(try await bus.error("Echo", [.variant(.byte(1))]) == nil, "after \(name)")
    }
  }

  @Test("Every malformed call that reaches the service is answered with the right error")
  func deliveredMessagesGetRightErrors() async throws {
    let bus = try await SampleBus()
    let expected: [(String, RawMessage)] = [
      ("UnknownMethod", Self.call("Nope", "v", Self.bytes)),
      ("UnknownInterface", Self.call("Echo", "v", Self.bytes, interface: "x.y")),
      ("UnknownObject", Self.call("Echo", "v", Self.bytes, path: String(repeating: "/a", count: 10_000))),
      ("InvalidArgs", Self.call("Echo", "", RawBody())),
      ("InvalidArgs", Self.call("Echo", "s", RawBody().text("x"))),
    ]
    let client = try RawClient(bus.bus.address)
    for (error, message) in expected {
      try client.send(message)
      #expect(try client.reply(to: client.lastSerial).errorName == DBusError.standardPrefix + error)
    }
  }

  @Test("A message that is nested deeper than the connection allows is answered with InvalidArgs")
  func tooDeepMessageIsInvalidArgs() async throws {
    let bus = try await SampleBus(limits: MessageLimits(incomingDepth: 8))
    let client = try RawClient(bus.bus.address)
    try client.send(Self.call("Echo", "v", Self.variants(7)))
    #expect(try client.reply(to: client.lastSerial).type == .methodReturn)
    try client.send(Self.call("Echo", "v", Self.variants(8)))
    #expect(try client.reply(to: client.lastSerial).errorName == DBusError.standardPrefix + "InvalidArgs")
  }

  @Test("An array of 64 MiB and one of a million structures are answered with LimitsExceeded")
  func hugeArraysExceedLimits() async throws {
    let bus = try await SampleBus()
    let size = 64 << 20
    let bytes = RawBody().signature("ay").aligned(4).u32(UInt32(size)).raw([UInt8](repeating: 1, count: size))
    // Each structure has two bytes and six bytes of padding, which the last one omits.
    let pairs = (0..<(1 << 20)).flatMap { _ in [1, 1, 0, 0, 0, 0, 0, 0] as [UInt8] }
    let structures = RawBody().signature("a(yy)").aligned(4).u32(UInt32(pairs.count - 6)).aligned(8).raw(pairs.dropLast(6))
    for body in [bytes, structures] {
      let client = try RawClient(bus.bus.address)
      try client.send(Self.call("Echo", "v", body))
      #expect(try client.reply(to: client.lastSerial).errorName == DBusError.standardPrefix + "LimitsExceeded")
      #expect(try await bus.error("Echo", [.variant(.byte(1))]) == nil)
    }
  }

  @Test("The service survives valid messages with random bytes changed", arguments: [1, 2, 3] as [UInt64])
  func serviceSurvivesMutatedMessages(seed: UInt64) async throws {
    let bus = try await SampleBus()
    var random = SeededGenerator(seed: seed)
    let good = Self.messages.map { $0.1.bytes(serial: 5) }.filter { $0.count < 1000 }
    for _ in 0..<150 {
      var bytes = good.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let client = try RawClient(bus.bus.address)
      try? client.write(bytes)
    }
    #expect(try await bus.error("Echo", [.variant(.byte(1))]) == nil)
  }

  @Test("A call that wants no reply gets neither a return nor an error, from any method or interface")
  func noReplyCallsGetNoAnswer() async throws {
    let bus = try await SampleBus()
    let client = try RawClient(bus.bus.address)
    let quiet: [(String, String?, String, String, RawBody)] = [
      (SampleObject.path.string, SampleObject.name, "Echo", "v", Self.bytes),
      (SampleObject.path.string, SampleObject.name, "Fail", "s", RawBody().text("x")),
      (SampleObject.path.string, SampleObject.name, "Drop", "", RawBody()),
      (SampleObject.path.string, SampleObject.name, "Nope", "", RawBody()),
      (SampleObject.path.string, "x.y", "Nope", "", RawBody()),
      (SampleObject.path.string, nil, "Nope", "", RawBody()),
      ("/nothing", SampleObject.name, "Echo", "v", Self.bytes),
      ("/", "org.freedesktop.DBus.Peer", "Ping", "", RawBody()),
      ("/", "org.freedesktop.DBus.Peer", "Nope", "", RawBody()),
      ("/", "org.freedesktop.DBus.Introspectable", "Introspect", "", RawBody()),
      (SampleObject.path.string, "org.freedesktop.DBus.Properties", "GetAll", "s", RawBody().text("")),
      (SampleObject.path.string, "org.freedesktop.DBus.Properties", "GetAll", "u", RawBody().u32(0)),
    ]
    for (path, interface, member, signature, body) in quiet {
      try client.send(RawMessage.call(to: SampleObject.name, path, interface, member, signature, body, flags: 1))
    }
    try client.send(Self.call("Count", "", RawBody()))
    let first = try client.receive()
    #expect(first.replySerial == client.lastSerial)
  }
}
