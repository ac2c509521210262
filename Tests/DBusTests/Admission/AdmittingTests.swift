import Glibc
import Platform
import TestBus
import Testing

@testable import DBus

@Suite("Connections with an admission rule", .timeLimit(.minutes(5)))
struct AdmittingTests {
  @Test("A refused caller gets AccessDenied, and nothing else, from every method, interface, and path")
  func refusedCallerGetsOnlyAccessDenied() async throws {
    let bus = try await SampleBus(admitting: AdmissionRule("nobody") { _ in false })
    let standard = ["Introspectable.Introspect", "Peer.Ping", "Peer.GetMachineId", "ObjectManager.GetManagedObjects"]
    for path in [SampleObject.path, "/org", "/nowhere", "/"] as [ObjectPath] {
      for name in standard {
        let parts = name.split(separator: ".").map(String.init)
        #expect(try await bus.error(parts[1], interface: "org.freedesktop.DBus.\(parts[0])", path: path) == "AccessDenied")
      }
      for (member, arguments) in [
        ("Get", [.string(SampleObject.name), .string("Level")]), ("GetAll", [.string("")]),
        ("Set", [.string(SampleObject.name), .string("Level"), .variant(.uint32(9))]),
      ] as [(String, [Value])] {
        let interface = "org.freedesktop.DBus.Properties"
        #expect(try await bus.error(member, arguments, interface: interface, path: path) == "AccessDenied")
      }
      #expect(try await bus.error("Count", path: path) == "AccessDenied")
      #expect(try await bus.error("Count", interface: nil, path: path) == "AccessDenied")
      #expect(try await bus.error("Nope", [.string("x")], interface: "org.example.Nope", path: path) == "AccessDenied")
    }
    // Deeply nested arguments of the wrong type.
    #expect(try await bus.error("Echo", [nested(20)]) == "AccessDenied")
    #expect(bus.object.counted.isEmpty)
    #expect(try bus.object.property("Level", of: SampleObject.name) == .uint32(1))
  }

  @Test("The error for a refused caller names its user and whom the service is for")
  func refusalNamesCallerAndAdmittedUsers() async throws {
    let bus = try await SampleBus(admitting: AdmissionRule("user 7 alone") { _ in false })
    let error = DBusError.accessDenied("User \(geteuid()) may not call: this service is for user 7 alone")
    await #expect(throws: error) { _ = try await bus.sample.call("Count") }
  }

  @Test("A call carries its sender's credentials, which are checked only once")
  func callCarriesSenderCredentials() async throws {
    let peers = Lock<[PeerCredentials]>([])
    let bus = try await SampleBus(
      admitting: AdmissionRule("all") { peer in
        peers.withLock { $0.append(peer) }
        return true
      })
    for count in 1...3 {
      async let reply = bus.sample.call("Keep")
      try await bus.object.keeps(count)
      bus.object.kept[count - 1].reply()
      _ = try await reply
    }
    let user = geteuid()
    #expect(bus.object.kept.map(\.credentials?.user) == [user, user, user])
    #expect(peers.withLock { $0.count } == 1)
    #expect(peers.withLock { $0.first?.groups?.contains(getegid()) } != false, "a bus that tells groups tells all")
  }

  @Test("An undecided sender's calls wait in order, and calls of other senders proceed")
  func undecidedSendersCallsWaitInOrder() async throws {
    let gate = Record<CheckedContinuation<Bool, Never>>()
    let isFirst = Lock(true)
    let bus = try await SampleBus(
      admitting: AdmissionRule("all") { _ in
        guard
          isFirst.withLock({ isFirst in
            defer { isFirst = false }
            return isFirst
          })
        else { return true }
        return await withCheckedContinuation { continuation in gate.append(continuation) }
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = try await bus.sample.call("Keep") } }
      try await gate.reaches(1)
      let other = try await Connection.open(.address(bus.bus.address))
      let proxy = Proxy(
        connection: other, destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name)
      _ = try await proxy.call("Count")
      #expect(bus.object.kept.isEmpty)
      for continuation in gate.values { continuation.resume(returning: true) }
      try await bus.object.keeps(50)
      let serials = bus.object.kept.map(\.serial)
      #expect(serials == serials.sorted())
      for call in bus.object.kept { call.reply() }
      try await group.waitForAll()
    }
  }

  @Test("A call does nothing if its sender left before its credentials could be queried")
  func callOfDepartedSenderDoesNothing() async throws {
    let bus = try await SampleBus(admitting: AdmissionRule("all") { _ in true })
    let stranger = try await Connection.open(.address(bus.bus.address))
    let departure = AsyncStream.makeStream(of: Void.self)
    await bus.client.watchDeparture(of: stranger.uniqueName) { departure.continuation.finish() }
    // The service reads nothing until the sender has left and the bus no longer knows it.
    let (hasLeft, isHeld) = (Gate(), AsyncStream.makeStream(of: Void.self))
    bus.service.loop.post {
      isHeld.continuation.finish()
      hasLeft.block()
    }
    for await _ in isHeld.stream {}
    try await stranger.send(
      MethodCall(
        destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name, member: "Count"))
    await stranger.close()
    for await _ in departure.stream {}
    hasLeft.open()
    _ = try await bus.sample.call("Echo", [.variant(.byte(1))])
    #expect(bus.object.counted.isEmpty)
    _ = try await bus.sample.call("Count")
    #expect(bus.object.counted.count == 1)
  }

  @Test("A caller that wants no reply gets none, whether refused or not")
  func noReplyCallerGetsNone() async throws {
    let bus = try await SampleBus(admitting: AdmissionRule("nobody") { _ in false })
    let client = try RawClient(bus.bus.address)
    try client.send(
      .call(to: SampleObject.name, "/", "org.example.Nope", "Nope", flags: 1))
    try client.send(.call(to: SampleObject.name, "/", "org.example.Nope", "Nope"))
    #expect(try client.receive().replySerial == client.lastSerial)
  }

  @Test("A service that loses a replaceable name stays in its queue, so that what it still sends counts as the owner's")
  func replacedOwnerStaysInTheQueue() async throws {
    let bus = try await SampleBus()
    let name = "org.example.Taken"
    let next = try await Connection.open(.address(bus.bus.address))
    #expect(try await bus.service.requestName(name, allowReplacement: true) == .primaryOwner)
    #expect(try await next.requestName(name) == .exists)
    #expect(try await next.requestName(name, replace: true, allowReplacement: true) == .primaryOwner)
    let reply = try await bus.client.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "ListQueuedOwners", arguments: [.string(name)])
    #expect(reply == [.strings([next.uniqueName, bus.service.uniqueName])])
  }
}
