import CoordinatorTestKit
import Platform
import Testing

@testable import CoordinatorKit

@Suite("Unawaited events while nothing can be stored", .timeLimit(.minutes(5)))
struct UnawaitedEventsTests {
  @Test("Rule 10: While the disk is full, one of many closing flows is retried per second, and all end afterwards")
  func closingFlowsRetryOncePerSecond() async throws {
    let time = ManualTime()
    let trees = try await Trees(300, time)
    await trees.store.setFull(true)
    let started = await trees.store.tries
    for tree in trees.all { tree.closeInTurn(isTimeout: true) }
    for second in 1...10 {
      await time.nextWait()
      let tries = await trees.store.tries - started
      #expect(tries < 16 + second, "after \(second) seconds")
      time.pass(.seconds(1))
    }
    await time.nextWait()
    #expect(await trees.store.tries - started <= 16 + 10)
    await trees.store.setFull(false)
    time.pass(.seconds(1))
    for renderer in trees.renderers { _ = await renderer.state { !$0.isAlive } }
  }

  @Test("Rule 10: A handler that fails on a work result is not called repeatedly while its end cannot be stored")
  func failingHandlerIsNotCalledRepeatedly() async throws {
    let time = ManualTime()
    let gates = Gates()
    let trees = try await Trees(1, time, gates)
    let root = trees.all[0].root
    for (event, argument) in [("note", "cannot-bear-work"), ("work", "gate")] {
      let call = TreeCall.delegate(root, screen: nil, event: event, payload: ["a": .string(argument)], seen: nil)
      await withCheckedContinuation { continuation in trees.all[0].post(call) { _ in continuation.resume() } }
    }
    await trees.store.setFull(true)
    let before = await trees.store.tries
    gates.open("gate")
    for second in 1...5 {
      await time.nextWait()
      // This event is handled after all events that the handler has triggered.
      await withCheckedContinuation { continuation in
        trees.all[0].post(.back(ScreenID(99))) { _ in continuation.resume() }
      }
      #expect(await trees.store.tries == before + second)
      time.pass(.seconds(1))
    }
    await time.nextWait()
    await trees.store.setFull(false)
    time.pass(.seconds(1))
    let state = await trees.renderers[0].state { !$0.isAlive }
    #expect(state.outcomes[root]?.name == "failed")
  }

  @Test("Thousands of events of trees that have ended meanwhile are handled one after the other")
  func endedTreesAreHandledWithoutRecursion() {
    let events = UnawaitedEvents { _, _ in }
    let count = Lock(0)
    events.add { hasEnded in
      // All other events arrive while this one is handed out, and each ends at once.
      for _ in 0..<100_000 { events.add { $0(.untried) } }
      events.add { hasEnded in
        count.withLock { $0 += 1 }
        hasEnded(.stored)
      }
      hasEnded(.untried)
    }
    #expect(count.withLock(\.self) == 1)
  }
}

/// Flow trees that share one store and one queue of unawaited events.
private struct Trees {
  let store = SharedStore()
  private(set) var all: [FlowTree] = []
  private(set) var renderers: [RecordingRenderer] = []

  init(_ count: Int, _ time: ManualTime, _ gates: Gates = Gates()) async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe(gates: gates) }
    let unawaited = time.unawaited
    for number in 1...count {
      let renderer = RecordingRenderer()
      var environment = FlowTree.Environment(catalogue: catalogue, observer: renderer, store: store) { 0 }
      environment.unawaited = unawaited
      let tree = FlowTree(root: "probe_\(number)", environment: environment)
      tree.start(flow: "probe", input: [:]) { _ in }
      _ = await renderer.state(where: \.isAlive)
      all.append(tree)
      renderers.append(renderer)
    }
  }
}

/// A store that counts the attempts to store, and can be full.
private actor SharedStore: TransitionStore {
  private(set) var tries = 0
  private var isFull = false

  func setFull(_ isFull: Bool) { self.isFull = isFull }

  func commit(_ publication: Publication) throws {
    tries += 1
    if isFull { throw KeepingStore.Full() }
  }
}

/// A clock that advances only when the test says so.
private final class ManualTime: Sendable {
  private struct State: Sendable {
    var now = ContinuousClock.now
    var waits: [(time: ContinuousClock.Instant, body: @Sendable () -> Void)] = []
  }

  private let state = Lock(State())
  private let waits: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (waits, continuation) = AsyncStream.makeStream(of: Void.self) }

  var unawaited: UnawaitedEvents {
    UnawaitedEvents(now: { self.state.withLock(\.now) }) { delay, body in
      self.state.withLock { $0.waits.append(($0.now + delay, body)) }
      self.continuation.yield()
    }
  }

  /// Waits until the queue waits for a time to come.
  func nextWait() async {
    var waits = waits.makeAsyncIterator()
    _ = await waits.next()
  }

  func pass(_ time: Duration) {
    let due = state.withLock { state in
      state.now += time
      let (due, rest) = (state.waits.filter { $0.time <= state.now }, state.waits.filter { $0.time > state.now })
      state.waits = rest
      return due
    }
    for wait in due { wait.body() }
  }
}
