import Testing

@testable import DBus

@Suite("Signals")
struct SignalTests {
  private static func happened(_ what: String) -> Signal {
    Signal(path: SampleObject.path, interface: SampleObject.name, member: "Happened", body: [.string(what)])
  }

  @Test("Signals arrive in order, at those who match them")
  func order() async throws {
    let bus = try await SampleBus()
    let signals = try await bus.sample.signals("Happened")
    let others = try await bus.sample.signals("Nothing")
    for number in 0..<100 { try await bus.service.emit(Self.happened("\(number)")) }
    var iterator = signals.makeAsyncIterator()
    for number in 0..<100 {
      guard case .signal(let signal)? = await iterator.next() else { break }
      #expect(signal.body == [.string("\(number)")])
      #expect(signal.sender == bus.service.uniqueName)
    }
    await bus.client.close()
    var other = others.makeAsyncIterator()
    #expect(await other.next() == nil)
  }

  @Test("A signal to one destination reaches nobody else")
  func unicast() async throws {
    let bus = try await SampleBus()
    let third = try await Connection.open(.address(bus.bus.address))
    let rule = MatchRule(sender: SampleObject.name, member: "Happened")
    var ours = try await bus.client.signals(matching: rule).makeAsyncIterator()
    var theirs = try await third.signals(matching: rule).makeAsyncIterator()
    try await bus.service.emit(Self.happened("for one"), to: third.uniqueName)
    try await bus.service.emit(Self.happened("for all"))
    #expect(await ours.next()?.text == "for all")
    #expect(await theirs.next()?.text == "for one")
    #expect(await theirs.next()?.text == "for all")
  }

  @Test("Nobody can pass for the owner of a name by sending a signal to us directly")
  func spoofing() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.sample.signals("Happened").makeAsyncIterator()
    let impostor = try await Connection.open(.address(bus.bus.address))
    try await impostor.emit(Self.happened("false"), to: bus.client.uniqueName)
    await impostor.flush()
    _ = try await impostor.call(.bus("GetId", []))
    try await bus.service.emit(Self.happened("true"))
    #expect(await signals.next()?.text == "true")
  }

  @Test("The owner of a name is followed when it changes")
  func newOwner() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.sample.signals("Happened").makeAsyncIterator()
    let successor = try await Connection.open(.address(bus.bus.address))
    try await bus.service.releaseName(SampleObject.name)
    try await bus.service.emit(Self.happened("from who owned it"))
    await bus.service.flush()
    _ = try await bus.service.call(.bus("GetId", []))
    #expect(try await successor.requestName(SampleObject.name) == .primaryOwner)
    try await successor.emit(Self.happened("from who owns it"))
    #expect(await signals.next()?.text == "from who owns it")
  }

  @Test("A reader that is too slow loses the oldest signals, and is told so")
  func overflow() async throws {
    let buffer = SignalBuffer(capacity: 3)
    for number in 0..<5 { buffer.append(.sample("\(number)")) }
    #expect(await buffer.next(isolation: nil) == .gap)
    for number in 2..<5 { #expect(await buffer.next(isolation: nil)?.text == "\(number)") }
    buffer.append(.sample("last"))
    buffer.finish()
    #expect(await buffer.next(isolation: nil)?.text == "last")
    #expect(await buffer.next(isolation: nil) == nil)
  }

  @Test("Cancelling the task ends the wait for a signal, before and while it waits")
  func cancellation() async throws {
    let buffer = SignalBuffer(capacity: 3)
    let task = Task { await buffer.next(isolation: nil) }
    task.cancel()
    #expect(await task.value == nil)
    buffer.append(.sample("kept"))
    #expect(await buffer.next(isolation: nil)?.text == "kept")
  }

  @Test("One match rule serves several sequences, and none is left when they are gone")
  func matchRules() async throws {
    let bus = try await SampleBus()
    let before = try await bus.matchRules()
    do {
      let first = try await bus.sample.signals("Happened")
      let second = try await bus.sample.signals("Happened")
      // The signal itself, and the owner of the name.
      #expect(try await bus.matchRules().count == before.count + 2)
      withExtendedLifetime((first, second)) {}
    }
    await bus.client.loop.drained()
    #expect(try await bus.matchRules() == before)
  }

  @Test("Subscriptions that begin at the same time all wait for the rule")
  func concurrentSubscriptions() async throws {
    let bus = try await SampleBus()
    try await withThrowingTaskGroup(of: String?.self) { group in
      let subscribed = Record<Int>()
      for number in 0..<20 {
        group.addTask {
          var signals = try await bus.sample.signals("Happened").makeAsyncIterator()
          subscribed.append(number)
          return await signals.next()?.text
        }
      }
      while subscribed.values.count < 20 { await bus.client.loop.drained() }
      try await bus.service.emit(Self.happened("all"))
      for try await text in group { #expect(text == "all") }
    }
  }

  @Test("A rule that the bus would refuse is refused here")
  func invalidRule() async throws {
    let bus = try await SampleBus()
    for rule in [MatchRule(interface: "no interface"), MatchRule(arguments: [0: "\0"]), MatchRule(arguments: [64: ""])] {
      await #expect(throws: DBusError.self) { _ = try await bus.client.signals(matching: rule) }
    }
  }
}

extension SignalDelivery {
  fileprivate var text: String? {
    guard case .signal(let signal) = self else { return nil }
    return signal.body.first?.string
  }
}

extension SignalMessage {
  fileprivate static func sample(_ text: String) -> SignalMessage {
    SignalMessage(sender: ":1.1", path: "/", interface: "a.b", member: "C", body: [.string(text)])
  }
}
