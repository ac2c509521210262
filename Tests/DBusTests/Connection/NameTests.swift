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
