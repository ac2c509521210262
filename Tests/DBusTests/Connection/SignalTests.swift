import TestBus
import Testing

@testable import DBus

@Suite("D-Bus signals", .timeLimit(.minutes(5)))
struct SignalTests {
  private static func happened(_ what: String) -> Signal {
    Signal(path: SampleObject.path, interface: SampleObject.name, member: "Happened", body: [.string(what)])
  }

  @Test("Signals arrive in order at the subscribers whose rules match")
  func matchingSignalsArriveInOrder() async throws {
    let bus = try await SampleBus()
    let signals = try await bus.sample.signals("Happened")
    let others = try await bus.sample.signals("Nothing")
    for number in 0..<100 { try await bus.service.emit(Self.happened("\(number)")) }
    var iterator = signals.makeAsyncIterator()
    for number in 0..<100 {
      guard case .signal(let signal)? = await iterator.next() else {
        Issue.record("no signal \(number)")
        break
      }
      #expect(signal.body == [.string("\(number)")])
      #expect(signal.sender == bus.service.uniqueName)
    }
    await bus.client.close()
    var other = others.makeAsyncIterator()
    #expect(await other.next() == nil)
  }

  @Test("A signal with a destination reaches no other client")
  func unicastSignalReachesOnlyItsDestination() async throws {
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

  @Test("A client cannot pose as the owner of a name by sending a signal directly")
  func directSignalCannotSpoofNameOwner() async throws {
    let bus = try await SampleBus()
    var signals = try await bus.sample.signals("Happened").makeAsyncIterator()
    let impostor = try await Connection.open(.address(bus.bus.address))
    try await impostor.emit(Self.happened("false"), to: bus.client.uniqueName)
    await impostor.flush()
    _ = try await impostor.call(.bus("GetId", []))
    try await bus.service.emit(Self.happened("true"))
    #expect(await signals.next()?.text == "true")
  }

  @Test("A subscription follows a name to its new owner")
  func signalsFollowNewNameOwner() async throws {
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

  @Test("A slow reader loses the oldest signals and is notified of the gap")
  func slowReaderLosesOldestSignals() async throws {
    let buffer = SignalBuffer(capacity: 3)
    for number in 0..<5 { buffer.append(.sample("\(number)")) }
    #expect(await buffer.next(isolation: nil) == .gap)
    for number in 2..<5 { #expect(await buffer.next(isolation: nil)?.text == "\(number)") }
    buffer.append(.sample("last"))
    buffer.finish()
    #expect(await buffer.next(isolation: nil)?.text == "last")
    #expect(await buffer.next(isolation: nil) == nil)
  }

  @Test("Cancelling a task ends its wait for a signal")
  func cancellationEndsWaitForSignal() async throws {
    let buffer = SignalBuffer(capacity: 3)
    let task = Task { await buffer.next(isolation: nil) }
    task.cancel()
    #expect(await task.value == nil)
    buffer.append(.sample("kept"))
    #expect(await buffer.next(isolation: nil)?.text == "kept")
  }

  @Test("One match rule serves several sequences, and none is left after they are gone")
  func sequencesShareOneMatchRule() async throws {
    let bus = try await SampleBus()
    let before = try await bus.matchRules()
    do {
      let first = try await bus.sample.signals("Happened")
      let second = try await bus.sample.signals("Happened")
      // One rule for the signal, and one for the owner of the name.
      #expect(try await bus.matchRules().count == before.count + 2)
      withExtendedLifetime((first, second)) {}
    }
    await bus.client.loop.drained()
    #expect(try await bus.matchRules() == before)
  }

  @Test("Subscriptions that begin at the same time all wait for the match rule")
  func concurrentSubscriptionsAwaitTheRule() async throws {
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
      try await subscribed.reaches(20)
      try await bus.service.emit(Self.happened("all"))
      for try await text in group { #expect(text == "all") }
    }
  }

  @Test("A match rule that the bus would refuse is refused locally")
  func invalidMatchRuleIsRefusedLocally() async throws {
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
