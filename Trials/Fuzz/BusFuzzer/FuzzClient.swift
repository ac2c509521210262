import BusLoad
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus

/// A client of the daemon that makes abusive calls and, in between, sensible ones.
struct FuzzClient {
  let daemon: LoadedDaemon
  let tally: Tally
  /// The runner for the calls of `RunFlow`, whose answers arrive late.
  let runner: Runner
  private var calls: RandomCalls
  private var map = ObjectMap()
  private var caller: CheckedCaller

  init(_ daemon: LoadedDaemon, _ tally: Tally, _ runner: Runner, flows: [FlowListing], seed: UInt64) async throws {
    (self.daemon, self.tally, self.runner) = (daemon, tally, runner)
    calls = RandomCalls(seed: seed, flows: flows.map { ($0.name, $0.input) })
    caller = CheckedCaller(connection: try await daemon.connect(), tally: tally)
  }

  /// Continues while the predicate returns true.
  mutating func run(while goesOn: () -> Bool) async throws {
    try await look()
    while goesOn() { try await step() }
    await caller.connection.close()
  }

  private mutating func step() async throws {
    switch Int.random(in: 0..<100, using: &calls.values.generator) {
    case 0: try await look()
    case 1: await burst()
    case 2: try await leaveInTheMiddle()
    case 3: await impersonate()
    case 4..<8: await startSomething()
    case 8..<20: await play()
    default: await makeOne()
    }
  }

  private mutating func makeOne() async {
    let call = calls.next(map)
    if call.member == "RunFlow" { return runner.run(call) }
    await caller.call(call)
  }

  private mutating func look() async throws {
    let caller = caller
    try await map.walk { path in
      let values = await caller.call(
        MethodCall(
          destination: Contract.busName, path: path, interface: "org.freedesktop.DBus.Introspectable", member: "Introspect"))
      return try values?.first?.string.map { try NodeDescription(parsing: $0) }
    }
  }

  /// Sends many calls at once that request no reply.
  private mutating func burst() async {
    for _ in 0..<100 { await caller.send(calls.next(map)) }
    await caller.call(
      MethodCall(destination: Contract.busName, path: .root, interface: "org.freedesktop.DBus.Peer", member: "Ping"))
  }

  /// Makes calls and leaves the bus before they are answered.
  private mutating func leaveInTheMiddle() async throws {
    let passer = try await daemon.connect()
    for _ in 0..<20 {
      let call = calls.next(map)
      tally.sentWithoutReply(call)
      Task { try? await passer.call(call, deadline: nil) }
    }
    await Task.yield()
    await passer.close()
  }

  /// Sends signals that only the bus may send, or that have no meaning.
  private mutating func impersonate() async {
    let name = caller.connection.uniqueName
    let bodies: [Value] = [.string(name), .string(name), .string("")]
    let signals = [
      Signal(path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged", body: bodies),
      Signal(
        path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameLost", body: [.string(Contract.busName)]),
      Signal(path: .root, interface: "a.b", member: "C", body: [calls.values.value(of: .variant)]),
    ]
    guard let signal = calls.values.pick(signals) else { return }
    try? await caller.connection.emit(signal, to: Contract.busName)
  }

  private mutating func startSomething() async {
    guard let flow = calls.values.pick(calls.flows) else { return }
    let input = flow.input?.acceptedObject(using: &calls.values.generator) ?? [:]
    let started = await caller.call(
      MethodCall(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
        arguments: [.string(flow.name), (try? .object(input)) ?? .vardict([:]), .vardict([:])]))
    guard let path = started?.first?.objectPath else { return }
    map.objects.append((path, [Contract.coordinator]))
    if let router = started?.last?.objectPath { map.objects.append((router, [Contract.router])) }
  }

  /// Makes a few sensible moves in a tree, so that the other calls encounter flows in all their states.
  private mutating func play() async {
    let routers = map.objects.filter { $0.path.elements.last == "router" }
    guard let router = calls.values.pick(routers)?.path else { return await startSomething() }
    let proxy = DaemonClient(connection: caller.connection).router(router)
    for _ in 0..<5 {
      do {
        let window = try await proxy.window()
        guard let move = PlausibleMove.choose(in: window, router: router, using: &calls.values.generator) else { return }
        await caller.call(move)
      } catch {
        if !error.isUnknownObject { tally.report("the window of \(router) cannot be read: \(error)") }
        map.objects.removeAll { $0.path == router }
        return
      }
    }
  }
}
