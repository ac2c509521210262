import Glibc
import TestBus
import Testing

@testable import DBus

@Suite("Large answers", .timeLimit(.minutes(5)))
struct LargeAnswerTests {
  @Test("While a large answer is made, other senders are served, and its recipient's next call waits")
  func largeAnswerIsMadeBesideTheLoop() async throws {
    let bus = try await SampleBus()
    let other = try await bus.anotherSample()
    let (gate, making) = (Gate(), Record<Bool>())
    bus.object.whenMaking {
      making.append(true)
      gate.block()
    }
    let large = Task { try await bus.sample.call("Large", [.string("a")], deadline: nil) }
    try await making.reaches(1)
    let behind = Task { try await bus.sample.call("Count", deadline: nil) }
    for _ in 0..<3 { _ = try await other.call("Set", [.uint32(1)]) }
    #expect(bus.object.counted.isEmpty)
    gate.open()
    #expect(try await large.value == [.string(String(repeating: "x", count: 100_000))])
    _ = try await behind.value
    #expect(bus.object.counted.count == 1)
    #expect(await bus.service.callLines.total == .init())
    #expect(await bus.service.callLines.stops(of: bus.client.uniqueName).isEmpty)
  }

  @Test("A large answer that was already made is shared until its contents change")
  func unchangedLargeAnswerIsShared() async throws {
    let bus = try await SampleBus()
    let other = try await bus.anotherSample()
    for _ in 0..<3 {
      _ = try await bus.sample.call("Large", [.string("a")])
      _ = try await other.call("Large", [.string("a")])
    }
    #expect(bus.object.made == ["a"])
    bus.object.setLarge("other")
    #expect(try await other.call("Large", [.string("a")]) == [.string("other")])
    #expect(bus.object.made == ["a", "a"])
  }

  @Test("A large answer that changes while it is made is made again, but not endlessly")
  func changingLargeAnswerIsRemadeFewTimes() async throws {
    let bus = try await SampleBus()
    let object = bus.object
    object.whenMaking { object.setLarge("\(object.made.count)") }
    #expect(try await bus.sample.call("Large", [.string("a")]) == [.string("1")])
    #expect(object.made == ["a", "a", "a"])
  }

  @Test("No large answer is begun while much waits to be sent")
  func largeAnswersWaitForOutgoingRoom() async throws {
    var limits = MessageLimits.default
    limits.largeAnswerQueue = 1_000_000
    let bus = try await SampleBus(limits: limits)
    bus.object.setLarge(String(repeating: "x", count: 4_000_000))
    let calls = (0..<8).map { number in
      Task { try await bus.anotherSample().call("Large", [.string("\(number)")], deadline: nil) }
    }
    // Whenever answers arrive, libdbus's queue never exceeds its limit plus one answer.
    while bus.object.made.count < 8 {
      #expect(await bus.service.outgoingSize <= 1_000_000 + 4_001_000)
      await bus.service.loop.drained()
    }
    for call in calls { _ = try await call.value }
  }

  @Test("A large answer that cannot be sent becomes an error, and one that needs no reply is not made")
  func unsendableLargeAnswerBecomesError() async throws {
    let bus = try await SampleBus(limits: MessageLimits(size: 50_000))
    #expect(try await bus.error("Large", [.string("a")]) == "LimitsExceeded")
    try await bus.client.send(
      MethodCall(
        destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Large",
        arguments: [.string("b")]))
    #expect(try await bus.error("Count") == nil)
    #expect(bus.object.made == ["a"])
    #expect(await bus.service.callLines.total == .init())
  }

  @Test("Pending large answers of a lost bus are forgotten")
  func largeAnswersOfLostBusAreForgotten() async throws {
    let bus = try await SampleBus()
    let (gate, making) = (Gate(), Record<Bool>())
    bus.object.whenMaking {
      making.append(true)
      gate.block()
    }
    let calls = (0..<3).map { _ in Task { try? await bus.anotherSample().call("Large", [.string("a")], deadline: nil) } }
    try await making.reaches(1)
    bus.bus.kill()
    for call in calls { #expect(await call.value == nil) }
    gate.open()
    await bus.service.flush()
    await bus.service.close()
  }
}

extension SampleBus {
  /// Opens another client, and returns its proxy of the service.
  func anotherSample() async throws -> Proxy {
    Proxy(
      connection: try await Connection.open(.address(bus.address)), destination: SampleObject.name, path: SampleObject.path,
      interface: SampleObject.name)
  }
}
