import DBus
import TestBus
import Testing

@Suite("Bus names and departures", .timeLimit(.minutes(5)))
struct NameTests {
  @Test("A name is requested without queueing, and can be released again")
  func nameIsRequestedAndReleased() async throws {
    let bus = try await SampleBus()
    #expect(try await bus.client.requestName(SampleObject.name) == .exists)
    #expect(try await bus.service.requestName(SampleObject.name) == .alreadyOwner)
    try await bus.service.releaseName(SampleObject.name)
    #expect(try await bus.client.requestName(SampleObject.name) == .primaryOwner)
    await #expect(throws: DBusError.self) { _ = try await bus.client.requestName("no name") }
  }

  @Test("The loss of a name to another connection is reported, and its release is not")
  func lostNameIsReported() async throws {
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
    "A service that retires from its name has received all calls to it, and emits no broadcasts until it resumes"
  )
  func retiredServiceEmitsNoSignals() async throws {
    let bus = try await SampleBus()
    let signals = try await bus.client.signals(matching: MatchRule(sender: bus.service.uniqueName))
    // These calls are sent before the name is released. The current owner of the name answers each of them.
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
    // The bus refused the calls that arrived while the name had no owner.
    do { try await calls } catch let error as DBusError { #expect(error.name.hasSuffix("ServiceUnknown")) }
  }

  @Test("Waiting for unanswered calls ends with the last answer and does not wait for long calls")
  func answerCallsEndsWithTheLastAnswer() async throws {
    let bus = try await SampleBus()
    bus.object.keepForLong()
    async let long: Void = keep(bus)
    try await bus.object.keeps(1)
    #expect(await bus.service.hasUnansweredCalls)
    await bus.service.answerCalls(for: .seconds(600))
    for call in bus.object.kept { call.reply() }
    try await long
    #expect(await !bus.service.hasUnansweredCalls)
  }

  private func keep(_ bus: SampleBus) async throws { _ = try await bus.sample.call("Keep") }

  @Test("A client's departure is noticed once, on the serial executor")
  func departureIsNoticedOnSerialExecutor() async throws {
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

  @Test("The departure of a client that has already left is noticed as well")
  func earlierDepartureIsNoticed() async throws {
    let bus = try await SampleBus()
    let client = try await Connection.open(.address(bus.bus.address))
    await client.close()
    let isSerial = await withCheckedContinuation { continuation in
      Task { [service = bus.service] in
        await service.watchDeparture(of: client.uniqueName) { continuation.resume(returning: service.loop.isInSerialJob) }
      }
    }
    #expect(isSerial)
  }

  @Test("Every departure is noticed exactly once when many clients leave while being watched")
  func racingDeparturesAreNoticedOnce() async throws {
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
    try await gone.reaches(120)
    _ = try await bus.service.call(
      destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", member: "GetId")
    #expect(gone.values.sorted() == (names + names).sorted())
    #expect(try await bus.matchRules() == before)
  }

  @Test("A cancelled departure watch does not fire and leaves no match rule behind")
  func cancelledWatchLeavesNoMatchRule() async throws {
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
    try await gone.reaches(1)
    #expect(gone.values == [2])
    #expect(try await bus.matchRules() == before)
  }
}
