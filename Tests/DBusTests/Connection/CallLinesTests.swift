import TestBus
import Testing

@testable import DBus

@Suite("Rule 11: Limits for unanswered calls", .timeLimit(.minutes(5)))
struct CallLinesTests {
  @Test("Rule 11: A sender's calls beyond its share are queued in order, and other senders are not affected")
  func callsBeyondShareQueueInOrder() async throws {
    var limits = MessageLimits.default
    limits.callsUnderWayPerSender = 2
    let bus = try await SampleBus(limits: limits)
    let other = try await Connection.open(.address(bus.bus.address))
    let calls = (0..<6).map { _ in Task { try await bus.sample.call("Keep", deadline: nil) } }
    try await poll { await bus.service.callLines.total.calls == 6 }
    #expect(bus.object.kept.count == 2)
    let behind = Task { try await bus.sample.call("Count", deadline: nil) }
    _ = try await other.call(
      destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Count")
    #expect(bus.object.counted.count == 1)
    for number in 0..<6 {
      try await bus.object.keeps(number + 1)
      #expect(bus.object.kept.count <= number + 2)
      bus.object.kept[number].reply()
    }
    for call in calls { _ = try await call.value }
    _ = try await behind.value
    let serials = bus.object.kept.map(\.serial)
    #expect(serials == serials.sorted())
    #expect(bus.object.counted.count == 2)
    #expect(await bus.service.callLines.total == .init())
    await other.close()
  }

  @Test("Rule 11: The waiting calls of all senders are limited in total, and a further call is refused with a hint to retry")
  func totalOfWaitingCallsIsLimited() async throws {
    var limits = MessageLimits.default
    limits.waitingCalls = 3
    let bus = try await SampleBus(limits: limits)
    let other = try await Connection.open(.address(bus.bus.address))
    let waiting = (0..<3).map { _ in Task { try? await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(3)
    await #expect(throws: DBusError.limitsExceeded("too many calls of all clients are unanswered: call again later")) {
      _ = try await other.call(
        destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Count")
    }
    bus.object.letGo()
    for task in waiting { _ = await task.value }
    await other.close()
  }

  @Test(
    "Rule 11: A sender with too many waiting calls is refused until one is answered or dropped, and others are not",
    arguments: [true, false])
  func senderWithTooManyCallsIsRefused(isAnswered: Bool) async throws {
    var limits = MessageLimits.default
    limits.waitingCallsPerSender = 3
    let bus = try await SampleBus(limits: limits)
    let other = try await Connection.open(.address(bus.bus.address))
    let waiting = (0..<3).map { _ in Task { try? await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(3)
    #expect(try await bus.error("Keep") == "LimitsExceeded")
    #expect(try await bus.error("Count") == "LimitsExceeded")
    _ = try await other.call(
      destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Count")
    if isAnswered { for call in bus.object.kept { call.reply() } }
    bus.object.letGo()
    for task in waiting { _ = await task.value }
    #expect(try await bus.error("Count") == nil)
    #expect(await bus.service.callLines.total == .init())
    await other.close()
  }

  @Test("Rule 11: Calls that want no reply count against the limits with the size of their arguments")
  func noReplyCallsCountAsWell() async throws {
    var limits = MessageLimits.default
    limits.waitingBytesPerSender = 100_000
    let bus = try await SampleBus(limits: limits)
    for _ in 0..<5 {
      try await bus.client.send(
        MethodCall(destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Keep"))
    }
    #expect(try await bus.error("Count") == nil)
    #expect(await bus.service.callLines.total.calls == 5)
    let large = Value.variant(.string(String(repeating: "x", count: 100_000)))
    #expect(try await bus.error("Echo", [large]) == "LimitsExceeded")
    bus.object.letGo()
    try await poll { await bus.service.callLines.total == .init() }
    #expect(try await bus.error("Echo", [large]) == nil)
  }

  @Test("Rule 11: Calls that wait for long are counted separately and release their arguments")
  func longCallsCountSeparately() async throws {
    var limits = MessageLimits.default
    limits.waitingCallsPerSender = 2
    limits.longCallsPerSender = 3
    let bus = try await SampleBus(limits: limits)
    bus.object.keepForLong()
    let waiting = (0..<3).map { _ in Task { try? await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(3)
    #expect(try await bus.error("Count") == nil)
    #expect(try await bus.error("Keep") == "LimitsExceeded")
    for call in bus.object.kept { call.reply() }
    bus.object.letGo()
    for task in waiting { _ = await task.value }
    #expect(await bus.service.longCalls.total == 0)
  }
}
