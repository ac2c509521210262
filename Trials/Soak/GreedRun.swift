import BusLoad
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import TestBus

/// A run with greedy clients, and with others that must not be affected by them.
struct GreedRun {
  let daemon: LoadedDaemon
  let inbox: NoticeInbox
  let screens: Int
  let flows: Int
  let calls: Int

  /// The interval within which the service manager expects a watchdog notification.
  static let watchdog = Duration.seconds(2)
  private static let ownFlows = 200

  /// The results of one greedy client's calls.
  private struct Tally: Sendable {
    var answers = 0
    var refusals: [String: Int] = [:]
  }

  /// Runs the trial and prints its figures.
  ///
  /// - Parameter bound: the maximum for the 99th percentile of the latency of property reads.
  /// - Returns: whether no other client was delayed.
  /// - Throws: a client's error for an unexpected answer.
  func run(bound: Duration) async throws -> Bool {
    let client = try await daemon.client()
    let tree = try await prepare(client)
    let own = try await start(Self.ownFlows, "pets", client)
    say("\(flows) flows, a tree with \(try await client.router(tree).window().screens.count) screens: \(try daemon.memory())")
    let prober = try await daemon.client()
    let idle = try await probe(prober, while: Countdown(500).goesOn)
    say("a property, read while idle: \(idle)")

    let listener = try await daemon.connect()
    let ends = try await listener.signals(
      matching: MatchRule(sender: Contract.busName, interface: Contract.managerInterface, member: "FlowEnded"),
      bufferSize: 100_000)
    let isGreedy = Flag()
    async let latencies = probe(prober, while: { isGreedy.isUp })
    let clock = ContinuousClock()
    let start = clock.now
    async let ended: Void = dismiss(own, client)
    let tallies = try await beGreedy(tree)
    isGreedy.lower()
    let duration = start.duration(to: clock.now)
    for (name, tally) in tallies { say("\(name): \(tally.answers) answers, refused \(tally.refusals)") }
    let busy = try await latencies
    try await ended
    say("the greedy clients had all replies after \(duration); \(try daemon.memory())")
    say("a property, read under load: \(busy)")
    let last = try await client.manager.startFlow("pets").coordinator
    try await dismiss([last], client)
    let heard = await heard(own, before: last, ends)
    say("received the end of \(heard) of \(own.count) flows")
    return try await judge(busy, bound, heard: heard, of: own.count)
  }

  /// The longest interval between watchdog notifications, from the first one until now.
  private var longestSilence: Duration {
    let times = inbox.received.values.filter { $0.text == "WATCHDOG=1\n" }.map(\.arrival) + [.now]
    return zip(times, times.dropFirst()).map { $0.duration(to: $1) }.max() ?? .zero
  }

  private func judge(_ busy: Latencies, _ bound: Duration, heard: Int, of count: Int) async throws -> Bool {
    let silence = longestSilence
    say("the daemon notified the service manager at least every \(silence); the watchdog limit is \(Self.watchdog)")
    let report = await daemon.stop()
    if let complaint = daemon.complaint {
      say(complaint)
      return false
    }
    guard report.status == .exited(0), !report.errors.contains("cannot") else {
      say("the daemon did not exit cleanly, or logged errors: \(report)")
      return false
    }
    return busy.percentile(99) < bound && heard == count && silence < Self.watchdog
  }

  // MARK: Before

  private func prepare(_ client: DaemonClient) async throws -> ObjectPath {
    let tree = try await client.manager.startFlow("pets")
    for _ in 1..<screens { _ = try await client.coordinator(tree.coordinator).startChild("kanji-list") }
    _ = try await start(flows, "quotes", client)
    return tree.router
  }

  /// Starts flows, 64 at a time.
  private func start(_ count: Int, _ flow: String, _ client: DaemonClient) async throws -> [ObjectPath] {
    try await withThrowingTaskGroup(of: ObjectPath.self) { group in
      var flows: [ObjectPath] = []
      for number in 0..<count {
        if number >= 64, let flow = try await group.next() { flows.append(flow) }
        group.addTask { try await client.manager.startFlow(flow).coordinator }
      }
      for try await flow in group { flows.append(flow) }
      return flows
    }
  }

  // MARK: Meanwhile

  /// Reads a small property repeatedly.
  private func probe(_ client: DaemonClient, while goesOn: @Sendable () -> Bool) async throws -> Latencies {
    let clock = ContinuousClock()
    let manager = Proxy(
      connection: client.connection, destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface)
    var latencies = Latencies()
    while goesOn() {
      latencies.add(try await clock.measure { _ = try await manager.property("Version") })
    }
    return latencies
  }

  private func dismiss(_ flows: [ObjectPath], _ client: DaemonClient) async throws {
    for flow in flows { _ = try await client.coordinator(flow).dismiss() }
  }

  private func beGreedy(_ tree: ObjectPath) async throws -> [(String, Tally)] {
    let screens = MethodCall(
      destination: Contract.busName, path: tree, interface: "org.freedesktop.DBus.Properties", member: "Get",
      arguments: [.string(Contract.routerInterface), .string("Screens")])
    let objects = MethodCall(
      destination: Contract.busName, path: Contract.rootPath, interface: "org.freedesktop.DBus.ObjectManager",
      member: "GetManagedObjects")
    return try await withThrowingTaskGroup(of: (String, Tally).self) { group in
      for number in 1...2 { group.addTask { ("reader \(number) of the tree", try await send(screens)) } }
      for number in 1...3 { group.addTask { ("reader \(number) of all objects", try await send(objects)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Makes the same call many times at once. Replies are dropped unread, so that the readers do not occupy the
  /// processor.
  private func send(_ call: MethodCall) async throws -> Tally {
    let connection = try await Connection.open(.address(daemon.bus.address), limits: MessageLimits(incomingValues: 8))
    let tally = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<calls {
        group.addTask {
          do {
            _ = try await connection.call(call, deadline: nil)
            return nil
          } catch ConnectionError.unreadableReply {
            return nil
          } catch {
            return "\(error)"
          }
        }
      }
      return await group.reduce(into: Tally()) { tally, refusal in
        if let refusal { tally.refusals[refusal, default: 0] += 1 } else { tally.answers += 1 }
      }
    }
    await connection.close()
    return tally
  }

  /// Returns the number of flows whose end was received before that of a flow that ended after all of them. Signals of one
  /// sender keep their order.
  private func heard(_ flows: [ObjectPath], before last: ObjectPath, _ ends: SignalSequence) async -> Int {
    var missing = Set(flows)
    for await delivery in ends {
      guard case .signal(let signal) = delivery, let path = signal.body.first?.objectPath, path != last else { break }
      missing.remove(path)
    }
    return flows.count - missing.count
  }
}

/// A flag that is up until it is lowered.
final class Flag: Sendable {
  private let state = Lock(true)
  var isUp: Bool { state.withLock { $0 } }
  func lower() { state.withLock { $0 = false } }
}

/// A predicate that returns true a given number of times.
final class Countdown: Sendable {
  private let left: Lock<Int>
  init(_ count: Int) { left = Lock(count) }
  @Sendable func goesOn() -> Bool {
    left.withLock { left in
      left -= 1
      return left >= 0
    }
  }
}
