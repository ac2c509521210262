import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import Platform
import TestBus

/// A run with clients, renderers and a black hole.
struct SoakRun {
  let daemon: LoadedDaemon
  /// The path of this program, for the black hole.
  let program: String
  let clients: Int
  /// The number of clients that only make transitions.
  let hammers: Int
  /// The maximum growth of the memory, in percent, in addition to 8 MiB.
  let growth: Int
  let bound: Bound
  private let count = Lock(0)

  /// The end of the run, by time or by number of transitions.
  struct Bound: Sendable {
    let end: ContinuousClock.Instant
    let transitions: Int
  }

  /// The number of transitions after which all temporary data (1,000 outcomes, buffers) has reached its limit.
  private static let warmUp = 10_000

  init(daemon: LoadedDaemon, program: String, clients: Int, hammers: Int, growth: Int, bound: Bound) {
    self.daemon = daemon
    self.program = program
    self.clients = clients
    self.hammers = hammers
    self.growth = growth
    self.bound = bound
  }

  private var goesOn: Bool { ContinuousClock.now < bound.end && count.withLock { $0 < bound.transitions } }

  /// Runs until the bound.
  ///
  /// - Returns: whether the memory stayed within its bound and the daemon remained healthy.
  /// - Throws: a client's error for an unexpected answer.
  func run() async throws -> Bool {
    let start = ContinuousClock.now
    let client = try await daemon.client()
    let shared = try await client.manager.startFlow("quotes")
    let hole = try Program([program, "black-hole", daemon.bus.address, shared.router.string])
    try await hole.prints("attached")
    let mirror = try await WindowMirror.attach(to: shared.coordinator, of: daemon.client(), kind: "mirror")
    let follower = Task { try await follow(mirror) }
    say("start: \(try daemon.memory())")
    let baseline = try await withThrowingTaskGroup(of: ProcessMemory?.self) { group in
      for number in 0..<clients {
        group.addTask {
          try await Player(daemon, seed: UInt64(number)).play(while: { goesOn }) { count.withLock { $0 += 1 } }
          return nil
        }
      }
      for _ in 0..<hammers { group.addTask { try await hammer() } }
      group.addTask { try await exercise(client, shared.router) }
      group.addTask { try await watch() }
      return try await group.reduce(nil) { $0 ?? $1 }
    }
    let last = try await client.router(shared.router).window().revision
    _ = try await client.coordinator(shared.coordinator).dismiss()
    say("a renderer that reads has shown \(try await follower.value) windows of \(last) revisions, the last one included")
    return try await judge(baseline, after: start.duration(to: .now))
  }

  /// Follows the flow that the black hole attached to, as a renderer that does read.
  ///
  /// - Returns: the number of windows shown until the flow ended.
  private func follow(_ mirror: WindowMirror) async throws -> Int {
    var shown = 0
    for try await event in mirror.events {
      if case .window = event { shown += 1 }
    }
    return shown
  }

  /// Goes to a flow's second screen and back, again and again. It need not read the window, because each new screen has
  /// the next number.
  private func hammer() async throws -> ProcessMemory? {
    let client = try await daemon.client()
    let flow = try await client.manager.startFlow("how-to-code")
    var screen = UInt64(1)
    while goesOn {
      _ = try await client.coordinator(flow.coordinator).delegate(screen: 1, event: "next")
      screen += 1
      _ = try await client.router(flow.router).back(screen: screen)
      count.withLock { $0 += 2 }
    }
    return nil
  }

  /// Keeps sending events to the mirrored flow.
  private func exercise(_ client: DaemonClient, _ router: ObjectPath) async throws -> ProcessMemory? {
    while goesOn {
      guard let top = try await client.router(router).window().top else { return nil }
      if let item = top.screen.items?.first {
        _ = try await client.coordinator(top.coordinator)
          .delegate(screen: top.id, event: "select", payload: ["id": .string(item.id)])
      } else {
        _ = try await client.router(router).back(screen: top.id)
      }
      count.withLock { $0 += 1 }
    }
    return nil
  }

  /// Prints the progress of the load, and returns the memory use of the daemon after the warm-up.
  private func watch() async throws -> ProcessMemory? {
    var (baseline, last) = (ProcessMemory?.none, ContinuousClock.now)
    while goesOn {
      try await Task.sleep(for: .milliseconds(100))
      let transitions = count.withLock { $0 }
      if baseline == nil, transitions >= Self.warmUp {
        baseline = try daemon.memory()
        say("\(transitions) transitions: \(try daemon.memory()), \(daemon.stateSize / 1_024) kB on disk")
      }
      if ContinuousClock.now > last + .seconds(30) {
        last = .now
        say("\(transitions) transitions: \(try daemon.memory()), \(daemon.stateSize / 1_024) kB on disk")
      }
    }
    return baseline
  }

  private func judge(_ baseline: ProcessMemory?, after duration: Duration) async throws -> Bool {
    let memory = try daemon.memory()
    let transitions = count.withLock { $0 }
    say("end: \(transitions) transitions in \(duration): \(memory), \(daemon.stateSize / 1_024) kB on disk")
    let report = await daemon.stop()
    if let complaint = daemon.complaint {
      say(complaint)
      return false
    }
    guard report.status == .exited(0) else {
      say("the daemon did not exit cleanly: \(report)")
      return false
    }
    guard let baseline else {
      say("too short: fewer than \(Self.warmUp) transitions, so the memory was not checked")
      return true
    }
    let bound = baseline.resident + baseline.resident * growth / 100 + 8_192
    let grown = Double(memory.resident - baseline.resident) / Double(baseline.resident) * 100
    say("grown by \((grown * 100).rounded() / 100) %; the limit was \(bound) kB")
    return memory.resident <= bound
  }
}
