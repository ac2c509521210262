import Glibc
import TestBus
import Testing

@testable import DBus

/// The numbers are those of `Docs/dbus-layer.md`, which explains why the pitfalls without a test cannot occur.
@Suite("Pitfalls of libdbus", .timeLimit(.minutes(5)))
struct PitfallTests {
  @Test("B1: Names and strings that would make libdbus abort the process are refused")
  func b1InvalidNamesAndStringsAreRefused() async throws {
    let bus = try await SampleBus()
    func signal(_ interface: String, _ member: String, _ body: Value...) -> Signal {
      Signal(path: "/", interface: interface, member: member, body: body)
    }
    let wrong: [(Signal, String?)] = [
      (signal("no-interface", "C"), nil), (signal("", "C"), nil), (signal("a.b", ""), nil), (signal("a.b", "1"), nil),
      (signal("a.b", "C\0"), nil), (signal("a.b", "C"), "nobody"), (signal("a.b", "C"), ""),
      (signal("a.b", "C", .string("\0")), nil),
      (signal("a.b", "C", .array(of: .string, [.byte(1)])), nil), (signal("a.b", "C", .structure([])), nil),
      (signal("a.b", "C", .dictionary(key: .variant, value: .string, [])), nil),
      (signal("org.freedesktop.DBus.Local", "Disconnected"), nil),
      (Signal(path: "/org/freedesktop/DBus/Local", interface: "a.b", member: "C"), nil),
    ]
    for (signal, destination) in wrong {
      do throws(DBusError) {
        try await bus.service.emit(signal, to: destination)
        Issue.record("sent \(signal)")
      } catch {
        #expect(error.isStandard("InvalidArgs"))
      }
    }
    await #expect(throws: DBusError.self) {
      _ = try await bus.client.call(destination: "x", path: "/", interface: "a", member: "-")
    }
    #expect(try await bus.error("Fail", [.string("an error text with \u{FFFF} in it")]) == "org.example.Error.Failed")
  }

  @Test("B2: A lost bus does not end the process")
  func b2LostBusDoesNotExit() async throws {
    let bus = try await SampleBus()
    var events = bus.service.events.makeAsyncIterator()
    bus.bus.kill()
    #expect(await events.next() == .disconnected)
  }

  @Test("B3: Connections are private: each can be closed, closed twice, or dropped while open")
  func b3ConnectionsArePrivate() async throws {
    let bus = try await SampleBus()
    for number in 0..<10 {
      let connection = try await Connection.open(.address(bus.bus.address))
      #expect(connection.uniqueName != bus.client.uniqueName)
      if number.isMultiple(of: 2) { await connection.close() }
      if number.isMultiple(of: 4) { await connection.close() }
    }
    #expect(try await bus.error("Count") == nil)
  }

  @Test("B4: Watches are toggled under libdbus's lock without a deadlock, and timeouts fire")
  func b4WatchesAndTimeoutsWork() async throws {
    let bus = try await SampleBus()
    let large = Value.variant(.string(String(repeating: "x", count: 8 << 20)))
    #expect(try await bus.sample.call("Echo", [large]) == [large])
    // The project's own calls use no timeouts of libdbus; this one does.
    let answered = Record<Bool>()
    await bus.client.addLibdbusCall { answered.append($0) }
    while answered.values.isEmpty { await bus.client.loop.passed(.milliseconds(1)) }
    #expect(answered.values == [true])
    #expect(await bus.client.timeoutCount == 0)
  }

  @Test("B5: A handler may call its own connection and wait for the answer")
  func b5HandlerCallsItsOwnConnection() async throws {
    let bus = try await SampleBus()
    let service = bus.service
    let answers = Record<[Value]>()
    bus.object.whenSet {
      Task {
        let own = Proxy(
          connection: service, destination: service.uniqueName, path: SampleObject.path, interface: SampleObject.name)
        answers.append(try await own.call("Echo", [.variant(.byte(1))]))
      }
    }
    _ = try await bus.sample.call("Set", [.uint32(1)])
    try await answers.reaches(1)
    #expect(answers.values == [[.variant(.byte(1))]])
  }

  @Test("B6: Messages that arrive together with the Hello reply are dispatched though nothing else becomes readable")
  func b6MessagesQueuedWithHelloAreDispatched() async throws {
    let bus = try await SampleBus()
    for _ in 0..<20 {
      // NameAcquired follows immediately after the reply.
      let connection = try await Connection.open(.address(bus.bus.address))
      await connection.loop.drained()
      await connection.loop.drained()
      #expect(await connection.isDispatched)
    }
  }

  @Test("B8, B9: Messages larger than one read or write arrive whole, in both directions at the same time")
  func b8LargeMessagesArriveWhole() async throws {
    let bus = try await SampleBus()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let value = Value.variant(.string(String(repeating: "\(number)", count: 1 << (number + 13))))
          let answer = try await bus.sample.call("Echo", [value])
          #expect(answer == [value])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("B10: While the bus does not read, calls beyond the limit are refused, and signals are kept and arrive later")
  func b10FullQueueRefusesCallsNotSignals() async throws {
    let limit = 1 << 20
    let bus = try await SampleBus(limits: MessageLimits(outgoingQueue: limit))
    let signals = try await bus.client.signals(matching: MatchRule(interface: "a.b"), bufferSize: 1_000)
    kill(bus.bus.processIdentifier, SIGSTOP)
    var refused: DBusError?
    for number in 0..<100 {
      let text = Value.string(String(repeating: "x", count: 100_000))
      try await bus.service.emit(Signal(path: "/", interface: "a.b", member: "C", body: [.uint32(UInt32(number)), text]))
      do throws(DBusError) {
        try await bus.service.send(MethodCall(destination: "a.b", path: "/", interface: "a.b", member: "C"))
      } catch {
        refused = error
      }
    }
    #expect(refused?.isStandard("LimitsExceeded") == true)
    kill(bus.bus.processIdentifier, SIGCONT)
    await bus.service.flush()
    #expect(await bus.service.outgoingSize == 0)
    var heard: [UInt64] = []
    var iterator = signals.makeAsyncIterator()
    while heard.count < 100, case .signal(let signal)? = await iterator.next() { heard.append(signal.body[0].uint64 ?? .max) }
    #expect(heard == Array(0..<100))
    #expect(try await bus.error("Count") == nil)
  }

  @Test("B10: Replies are never dropped, and no further calls are taken while replies cannot be written")
  func b10RepliesAreNeverDropped() async throws {
    let bus = try await SampleBus(limits: MessageLimits(outgoingQueue: 1 << 20))
    let value = Value.variant(.string(String(repeating: "x", count: 1 << 20)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let answer = try await bus.sample.call("Echo", [value])
          #expect(answer == [value])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("B13: Other jobs get their turn between the messages of a flood")
  func b13JobsRunBetweenFloodedMessages() async throws {
    let bus = try await SampleBus()
    let (service, object) = (bus.service, bus.object)
    let seen = Record<Int>()
    object.whenSet { service.loop.post { seen.append(object.counted.count) } }
    // One call that posts a job, followed by a thousand calls in the same read.
    let raw = try RawClient(bus.bus.address)
    var bytes = RawMessage.call(
      to: SampleObject.name, SampleObject.path.string, SampleObject.name, "Set", "u", RawBody().u32(1), flags: 1
    )
    .bytes(serial: 100)
    for serial in 101..<1101 {
      bytes += RawMessage.call(to: SampleObject.name, SampleObject.path.string, SampleObject.name, "Count", flags: 1)
        .bytes(serial: UInt32(serial))
    }
    try raw.write(bytes)
    try await object.counts(1000)
    #expect(seen.values.count == 1)
    #expect(seen.values[0] < 10)
  }

  @Test("B16: Values within the wire limits pass, and one more level is refused before the bus sees it")
  func b16WireLimitsAreCheckedBeforeSending() async throws {
    let bus = try await SampleBus()
    func variants(_ count: Int) -> Value { (0..<count).reduce(.byte(1)) { value, _ in .variant(value) } }
    func send(_ value: Value) async throws {
      let signal = Signal(path: "/", interface: "a.b", member: "C", body: [value])
      try await bus.service.emit(signal)
    }
    try await send(variants(64))
    try await send(nested(21))
    await #expect(throws: DBusError.self) { try await send(variants(65)) }
    await #expect(throws: DBusError.self) { try await send(nested(22)) }
    await #expect(throws: DBusError.self) { try await send(.string(String(repeating: "x", count: 17 << 20))) }
    await #expect(throws: DBusError.self) { try await send(variants(1000)) }
    // The bus has not disconnected the service.
    #expect(try await bus.error("Count") == nil)
  }

  @Test("B16: Unix file descriptors are closed, and their call is answered with InvalidArgs")
  func b16UnixDescriptorsAreClosed() async throws {
    let bus = try await SampleBus()
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    #expect(await bus.client.sendDescriptor(ends[1], to: bus.service.uniqueName))
    close(ends[1])
    // A later call is answered, so the call with the descriptor has been handled.
    #expect(try await bus.error("Count") == nil)
    // End of file here means that every copy of the other end is closed. The test's copy was freed with the message.
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    close(ends[0])
  }

  @Test("B17: Subscribing waits without blocking the loop")
  func b17SubscribingDoesNotBlockTheLoop() async throws {
    let bus = try await SampleBus()
    let loop = bus.client.loop
    kill(bus.bus.processIdentifier, SIGSTOP)
    let order = Record<String>()
    let subscription = Task {
      let signals = try await bus.sample.signals("Happened")
      order.append("subscribed")
      return signals
    }
    // The bus does not answer, and the loop still runs jobs.
    for _ in 0..<100 { await loop.drained() }
    order.append("100 jobs")
    kill(bus.bus.processIdentifier, SIGCONT)
    var signals = try await subscription.value.makeAsyncIterator()
    #expect(order.values == ["100 jobs", "subscribed"])
    try await bus.service.emit(
      Signal(path: SampleObject.path, interface: SampleObject.name, member: "Happened", body: [.string("now")]))
    guard case .signal(let signal)? = await signals.next() else {
      Issue.record("no signal")
      return
    }
    #expect(signal.body == [.string("now")])
  }
}
