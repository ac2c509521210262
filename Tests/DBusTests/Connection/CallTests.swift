import DBus
import TestBus
import Testing

@Suite("Method calls", .timeLimit(.minutes(5)))
struct CallTests {
  @Test("Values of every type are echoed unchanged")
  func valuesOfEveryTypeAreEchoed() async throws {
    let bus = try await SampleBus()
    let values: [Value] = [
      .byte(255), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
      .uint64(.max), .double(-0.5), .double(.infinity), .string(""), .string("Grüße 👋 \u{1}"), .objectPath("/a/b"),
      .signature("a{sv}"), .signature(""), .array(of: .string, []), .array(of: .byte, []),
      .array(of: .byte, [.byte(0), .byte(1)]),
      .array(of: .array(.int16), [.array(of: .int16, [.int16(1)]), .array(of: .int16, [])]),
      .structure([.byte(1), .structure([.uint64(2), .string("x")])]), .vardict(["a": .uint32(1), "b": .vardict([:])]),
      .dictionary(key: .uint32, value: .structure([.byte, .variant]), []), .variant(.variant(.byte(1))),
    ]
    for value in values {
      #expect(try await bus.sample.call("Echo", [.variant(value)]) == [.variant(value)])
    }
  }

  @Test("An error arrives with its name, message, and further arguments")
  func errorArrivesWithAllItsParts() async throws {
    let bus = try await SampleBus()
    await #expect(throws: DBusError(name: "org.example.Error.Failed", message: "why", extra: [.uint32(7)])) {
      _ = try await bus.sample.call("Fail", [.string("why")])
    }
  }

  @Test("An error says whether the bus has sent it, or the callee, which may use any name")
  func errorsOfTheBusAreKnown() async throws {
    let bus = try await SampleBus()
    let own = await #expect(throws: DBusError.self) { try await bus.sample.call("Fail", [.string("why")]) }
    #expect(own?.isFromBus == false)
    let absent = await #expect(throws: DBusError.self) {
      try await bus.sample.connection.call(
        destination: ":1.4711", path: "/", interface: "org.example.Nope", member: "Nope", autoStart: false)
    }
    // Buses differ in the name of this error.
    #expect(absent?.isFromBus == true)
  }

  @Test("A wrong call gets the error of the first failing lookup: object, interface, method, or arguments")
  func standardErrorsFollowLookupOrder() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.error("Nope", path: "/nothing/here") == "UnknownObject")
    #expect(try await bus.error("Nope", path: "/org/example") == "UnknownObject")
    #expect(try await bus.error("Nope", interface: "org.example.Nope") == "UnknownInterface")
    #expect(try await bus.error("Nope", [.string("")]) == "UnknownMethod")
    #expect(try await bus.error("Fail") == "InvalidArgs")
    #expect(try await bus.error("Fail", [.string("a"), .string("b")]) == "InvalidArgs")
    #expect(try await bus.error("Fail", [.uint32(1)]) == "InvalidArgs")
  }

  @Test("A call without an interface is resolved by its method name, and the first interface with it wins")
  func callWithoutInterfaceUsesFirstMatch() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.error("Count", interface: nil) == nil)
    #expect(bus.object.counted == [SampleObject.name])
    #expect(try await bus.error("GetAll", [.string("")], interface: nil) == nil)
    #expect(try await bus.error("Introspect", interface: nil, path: "/org") == nil)
    #expect(try await bus.error("Ping", interface: nil, path: "/nowhere") == nil)
    #expect(try await bus.error("Nope", interface: nil) == "UnknownMethod")
  }

  @Test("A kept call can be answered later, from any task, and only once")
  func keptCallIsAnsweredOnce() async throws {
    let bus = try await SampleBus()
    async let reply = bus.sample.call("Keep")
    try await bus.object.keeps(1)
    let call = bus.object.kept[0]
    await Task.detached {
      call.reply()
      call.fail(.failed("too late"))
    }.value
    #expect(try await reply == [])
    #expect(try await bus.error("Count") == nil)
  }

  @Test("A dropped call is answered with an error")
  func droppedCallIsAnsweredWithError() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.error("Drop") == "Failed")
  }

  @Test("A reply with the wrong types or too much nesting is answered with LimitsExceeded")
  func invalidReplyBecomesLimitsExceeded() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.error("Lie") == "LimitsExceeded")
    #expect(try await bus.error("Deep") == "LimitsExceeded")
    #expect(try await bus.error("Count") == nil)
  }

  @Test("A deadline ends the wait for a reply, and a late reply is ignored")
  func deadlineEndsTheWait() async throws {
    let bus = try await SampleBus()
    await #expect(throws: ConnectionError.timedOut) { _ = try await bus.sample.call("Keep", deadline: .milliseconds(20)) }
    bus.object.kept[0].reply()
    #expect(try await bus.error("Count") == nil)
  }

  @Test("Cancelling a task ends its wait for a reply")
  func cancellationEndsTheWait() async throws {
    let bus = try await SampleBus()
    let task = Task { try await bus.sample.call("Keep", deadline: nil) }
    try await bus.object.keeps(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bus.sample.call("Keep", deadline: nil)
    }
    await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
  }

  @Test("The calls of one client are handled in the order in which they were made")
  func callsOfClientAreHandledInOrder() async throws {
    var limits = MessageLimits.default
    limits.callsUnderWayPerSender = 200
    let bus = try await SampleBus(limits: limits)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { _ = try await bus.sample.call("Keep") } }
      try await bus.object.keeps(200)
      let serials = bus.object.kept.map(\.serial)
      #expect(serials == serials.sorted())
      for call in bus.object.kept { call.reply() }
      try await group.waitForAll()
    }
  }

  @Test("A call to a service that does not exist throws an error")
  func callToMissingServiceFails() async throws {
    let bus = try await SampleBus()
    await #expect(throws: DBusError.self) {
      _ = try await bus.client.call(destination: "org.example.Nobody", path: "/", interface: "a.b", member: "C")
    }
  }
}
