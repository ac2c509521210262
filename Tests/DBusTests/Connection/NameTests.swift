import DBus
import Testing

@Suite("Bus names, and who leaves the bus")
struct NameTests {
  @Test("A name is requested without queueing, and released")
  func request() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.client.requestName(SampleObject.name) == .exists)
    #expect(try await bus.service.requestName(SampleObject.name) == .alreadyOwner)
    try await bus.service.releaseName(SampleObject.name)
    #expect(try await bus.client.requestName(SampleObject.name) == .primaryOwner)
    await #expect(throws: DBusError.self) { _ = try await bus.client.requestName("no name") }
  }

  @Test("Who loses a name to another is told; who gives it back is not")
  func nameLost() async throws {
    let bus = try await SampleBus()
    var events = bus.service.events.makeAsyncIterator()
    #expect(try await bus.service.requestName("org.example.Mine") == .primaryOwner)
    try await bus.service.releaseName("org.example.Mine")
    #expect(try await bus.service.requestName("org.example.Ours", allowReplacement: true) == .primaryOwner)
    #expect(try await bus.client.requestName("org.example.Ours") == .exists)
    #expect(try await bus.client.requestName("org.example.Ours", replace: true) == .primaryOwner)
    #expect(await events.next() == .nameLost("org.example.Ours"))
  }

  @Test(
    "Who leaves its name has received all that was sent to it, and sends no more signals to everybody until it takes the name again"
  )
  func retire() async throws {
    let bus = try await SampleBus()
    let signals = try await bus.client.signals(matching: MatchRule(sender: bus.service.uniqueName))
    // Sent before the bus is asked to free the name; each is answered, whoever owns it then.
    async let calls = withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { _ = try await bus.sample.call("Count") } }
      for try await _ in group {}
    }
    try await bus.service.retire(from: SampleObject.name)
    await bus.service.answerCalls(for: .seconds(5))
    #expect(await !bus.service.hasUnansweredCalls)
    let arrived = bus.object.counted.count
    #expect(arrived <= 50)
    let happened = Signal(path: SampleObject.path, interface: SampleObject.name, member: "Happened", body: [.string("unseen")])
    try await bus.service.emit(happened)
    #expect(try await bus.service.resume(as: SampleObject.name))
    try await bus.service.emit(
      Signal(path: happened.path, interface: happened.interface, member: "Happened", body: [.string("seen")]))
    var iterator = signals.makeAsyncIterator()
    guard case .signal(let first)? = await iterator.next() else { return #expect(Bool(false), "no signal") }
    #expect(first.body == [.string("seen")])
    // Those that came while nobody had the name were refused by the bus.
    do { try await calls } catch let error as DBusError { #expect(error.name.hasSuffix("ServiceUnknown")) }
  }

  @Test("Who waits for its calls to be answered goes on with the last answer, and does not wait for long ones")
  func answerCalls() async throws {
    let bus = try await SampleBus()
    bus.object.keepForLong()
    async let long: Void = keep(bus)
    while bus.object.kept.isEmpty { await Task.yield() }
    #expect(await bus.service.hasUnansweredCalls)
    await bus.service.answerCalls(for: .seconds(600))
    for call in bus.object.kept { call.reply() }
    try await long
    #expect(await !bus.service.hasUnansweredCalls)
  }

  private func keep(_ bus: SampleBus) async throws { _ = try await bus.sample.call("Keep") }

  @Test("A client that leaves is noticed once, on the serial executor")
  func departure() async throws {
    let bus = try await SampleBus()
    let client = try await Connection.open(.address(bus.bus.address))
    let service = bus.service
    let isSerial = await withCheckedContinuation { continuation in
      Task {
        await service.watchDeparture(of: client.uniqueName) { continuation.resume(returning: service.loop.isInSerialJob) }
        await client.close()
      }
    }
    #expect(isSerial)
  }

  @Test("A client that has left already is noticed as well")
  func departedBefore() async throws {
    let bus = try await SampleBus()
    let client = try await Connection.open(.address(bus.bus.address))
    await client.close()
    await withCheckedContinuation { continuation in
      Task { await bus.service.watchDeparture(of: client.uniqueName) { continuation.resume() } }
    }
  }

  @Test("Of many clients that leave while they are being watched, each is noticed exactly once")
  func race() async throws {
    let bus = try await SampleBus()
    let before = try await bus.matchRules()
    let gone = Record<String>()
    var names: [String] = []
    for number in 0..<60 {
      var client: RawClient? = try RawClient(bus.bus.address)
      let name = client?.name ?? ""
      names.append(name)
      if number.isMultiple(of: 3) { client = nil }
      await bus.service.watchDeparture(of: name) { gone.append(name) }
      await bus.service.watchDeparture(of: name) { gone.append(name) }
      client = nil
    }
    while gone.values.count < 120 { await bus.service.loop.drained() }
    _ = try await bus.service.call(
      destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", member: "GetId")
    #expect(gone.values.sorted() == (names + names).sorted())
    #expect(try await bus.matchRules() == before)
  }

  @Test("A cancelled watch does not fire, and leaves no match rule behind")
  func cancel() async throws {
    let bus = try await SampleBus()
    let before = try await bus.matchRules()
    let gone = Record<Int>()
    var client: RawClient? = try RawClient(bus.bus.address)
    let first = await bus.service.watchDeparture(of: client?.name ?? "") { gone.append(1) }
    await bus.service.watchDeparture(of: client?.name ?? "") { gone.append(2) }
    #expect(try await bus.matchRules().count == before.count + 1)
    first.cancel()
    first.cancel()
    await bus.service.loop.drained()
    client = nil
    while gone.values.isEmpty { await bus.service.loop.drained() }
    #expect(gone.values == [2])
    #expect(try await bus.matchRules() == before)
  }
}
