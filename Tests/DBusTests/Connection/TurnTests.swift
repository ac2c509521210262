import TestBus
import Testing

@testable import DBus

@Suite("Turns of senders with slow calls", .timeLimit(.minutes(5)))
struct TurnTests {
  @Test("A sender of many slow calls lets other senders be served in between")
  func slowCallsLetOthersInBetween() async throws {
    let bus = try await SampleBus()
    let (service, object) = (bus.service, bus.object)
    let other = try await bus.anotherSample()
    let (gate, seen) = (Gate(), Record<Int>())
    // The first one occupies the loop until another client's call has been sent behind all the others.
    object.whenSpun { if object.spun == 0 { gate.block() } }
    let raw = try RawClient(bus.bus.address)
    var bytes: [UInt8] = []
    for serial in 100..<164 {
      bytes += RawMessage.call(to: SampleObject.name, SampleObject.path.string, SampleObject.name, "Spin")
        .bytes(serial: UInt32(serial))
    }
    try raw.write(bytes)
    // The reply shows that the bus has accepted everything before it.
    try raw.send(RawMessage.call(to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"))
    _ = try raw.reply(to: raw.lastSerial)
    object.whenSet { seen.append(object.spun) }
    let call = Task { try await other.call("Set", [.uint32(1)]) }
    // These calls follow the one above on the same connection.
    for _ in 0..<3 { _ = try await other.connection.busID() }
    gate.open()
    _ = try await call.value
    for serial in 100..<164 { #expect(try raw.reply(to: UInt32(serial)).type == .methodReturn) }
    #expect(object.spun == 64)
    // Reading the messages before it takes a few turns. The number of calls that run meanwhile depends on the machine's load.
    #expect(seen.values.first.map { $0 < 64 } == true, "\(seen.values)")
    #expect(await service.callLines.total == .init())
  }

  @Test("A sender that kept the loop busy is served again, in the order of its calls")
  func slowSenderIsServedInCallOrder() async throws {
    let bus = try await SampleBus()
    let serials = Record<Int>()
    bus.object.whenSet { serials.append(bus.object.spun) }
    let calls = (0..<8).map { _ in
      (
        Task { try await bus.sample.call("Spin", deadline: nil) },
        Task { try await bus.sample.call("Set", [.uint32(1)], deadline: nil) }
      )
    }
    for (spin, set) in calls {
      _ = try await spin.value
      _ = try await set.value
    }
    #expect(bus.object.spun == 8)
    #expect(serials.values == serials.values.sorted())
    // No stop is left behind.
    try await poll { await bus.service.callLines.stops(of: bus.client.uniqueName).isEmpty }
  }
}

@Suite("Rule 11: Limits per user instead of per connection", .timeLimit(.minutes(5)))
struct UserCountTests {
  @Test("Rule 11: If limits count per user, a user's second connection gets no second share", arguments: [true, false])
  func secondConnectionGetsNoSecondShare(countsByUser: Bool) async throws {
    var limits = MessageLimits.default
    limits.waitingCallsPerSender = 3
    limits.longCallsPerSender = 2
    limits.countsByUser = countsByUser
    let bus = try await SampleBus(limits: limits, admitting: AdmissionRule("everybody") { _ in true })
    let waiting = (0..<3).map { _ in Task { try? await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(3)
    let other = try await bus.anotherSample()
    let expected = countsByUser ? "LimitsExceeded" : nil
    #expect(await error(of: "Count", other) == expected)
    bus.object.letGo()
    for task in waiting { _ = await task.value }
    #expect(await error(of: "Count", other) == nil)
    #expect(await bus.service.callLines.total == .init())
    bus.object.keepForLong()
    let long = (0..<2).map { _ in Task { try? await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(2)
    let third = Task { await error(of: "Keep", other) }
    if countsByUser { #expect(await third.value == expected) }
    if !countsByUser { try await bus.object.keeps(3) }
    for call in bus.object.kept { call.reply() }
    bus.object.letGo()
    for task in long { _ = await task.value }
    _ = await third.value
    #expect(await bus.service.longCalls.total == 0)
  }

  private func error(of member: String, _ proxy: Proxy) async -> String? {
    do {
      _ = try await proxy.call(member, deadline: nil)
      return nil
    } catch {
      return (error as? DBusError)?.name.split(separator: ".").last.map(String.init)
    }
  }
}
