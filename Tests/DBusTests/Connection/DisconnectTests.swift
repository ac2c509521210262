import TestBus
import Testing

@testable import DBus

@Suite("Disconnection", .timeLimit(.minutes(5)))
struct DisconnectTests {
  @Test("A killed bus ends all waiting calls and sequences at once, and the disconnect event comes last")
  func killedBusEndsEverythingWaiting() async throws {
    let bus = try await SampleBus()
    var events = bus.client.events.makeAsyncIterator()
    var signals = try await bus.sample.signals().makeAsyncIterator()
    let calls = (0..<10).map { _ in Task { try await bus.sample.call("Keep", deadline: nil) } }
    try await bus.object.keeps(10)
    // The calls have no deadline: only the lost bus can end them.
    bus.bus.kill()
    for call in calls {
      await #expect(throws: ConnectionError.disconnected) { _ = try await call.value }
    }
    #expect(await signals.next() == nil)
    #expect(await events.next() == .disconnected)
    #expect(await events.next() == nil)
    await #expect(throws: ConnectionError.disconnected) { _ = try await bus.sample.call("Count") }
    await #expect(throws: ConnectionError.disconnected) { _ = try await bus.sample.signals() }
    let signal = Signal(path: "/", interface: "a.b", member: "C")
    await #expect(throws: DBusError.disconnected("the connection to the bus is closed")) { try await bus.client.emit(signal) }
    await bus.client.flush()
    await bus.client.close()
    // Answers to kept calls are silently dropped.
    for call in bus.object.kept { call.reply() }
    bus.object.letGo()
    await bus.service.loop.drained()
  }

  @Test("Events that are requested after the end report the disconnection")
  func lateEventsReportDisconnect() async throws {
    let bus = try await SampleBus()
    await bus.client.close()
    var events = bus.client.events.makeAsyncIterator()
    #expect(await events.next() == .disconnected)
    #expect(await events.next() == nil)
  }

  @Test("Closing a connection first writes its queued messages")
  func closingFlushesQueuedMessages() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.sample.signals().makeAsyncIterator()
    let large = Value.string(String(repeating: "x", count: 4 << 20))
    try await bus.service.emit(Signal(path: SampleObject.path, interface: SampleObject.name, member: "Happened", body: [large]))
    await bus.service.close()
    guard case .signal(let signal)? = await signals.next() else {
      Issue.record("no signal")
      return
    }
    #expect(signal.body == [large])
  }

  @Test("The first signal of a turn of the loop is written at once, so that the bus wakes up, and the others together, after it")
  func signalsOfOneTurnAreWrittenTogether() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.client.signals(matching: MatchRule(interface: "a.b")).makeAsyncIterator()
    let waiting = try await bus.service.emitTogether(3)
    #expect(waiting.count == 3)
    #expect(waiting[0] == 0 && waiting[1] > 0 && waiting[2] > waiting[1], "nothing else is written meanwhile")
    for number in 0..<3 { #expect(try await number == nextNumber(&signals)) }
    #expect(await bus.service.outgoingSize == 0)
  }

  @Test("A connection that is dropped right after a signal still writes it")
  func droppedConnectionWritesItsSignals() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.client.signals(matching: MatchRule(interface: "a.b")).makeAsyncIterator()
    for _ in 0..<20 {
      let connection = try await Connection.open(.address(bus.bus.address))
      _ = try await connection.emitTogether(1)
    }
    for _ in 0..<20 { #expect(try await 0 == nextNumber(&signals)) }
  }

  /// The argument of the next signal; nil if there is none.
  private func nextNumber(_ signals: inout SignalSequence.Iterator) async throws -> Int? {
    guard case .signal(let signal)? = await signals.next() else { return nil }
    return signal.body.first?.uint64.flatMap { Int(exactly: $0) }
  }

  @Test("Without a bus, the error names the address that was tried")
  func missingBusErrorNamesAddress() async throws {
    for address in ["unix:path=/nonexistent/bus", "nonsense", "", "unix:path=\0"] {
      do throws(ConnectionError) {
        _ = try await Connection.open(.address(address))
        Issue.record("connected to \(address)")
      } catch {
        guard case .cannotConnect(let tried, let reason) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(tried == address)
        #expect(!reason.isEmpty)
      }
    }
  }

  @Test("Several connections share a loop, which continues after one of them is closed or dropped")
  func connectionsShareOneLoop() async throws {
    let bus = try await SampleBus()
    let loop = EventLoop()
    let first = try await Connection.open(.address(bus.bus.address), loop: loop)
    var second: Connection? = try await Connection.open(.address(bus.bus.address), loop: loop)
    let name = second?.uniqueName ?? ""
    let gone = AsyncStream<Void>.makeStream()
    await first.watchDeparture(of: name) { gone.continuation.finish() }
    second = nil
    for await _ in gone.stream {}
    #expect(try await first.busID() == bus.client.busID())
    await first.close()
    await first.close()
    let third = try await Connection.open(.address(bus.bus.address), loop: loop)
    #expect(try await third.busID() == bus.client.busID())
  }
}
