import CoordinatorTestKit
import Dispatch
import TestBus
import Testing

@testable import CoordinatorKit

@Suite("Rule 2: One event at a time", .timeLimit(.minutes(5)))
struct Rule2QueueTests {
  @Test("Rule 2: A tree handles its events in arrival order")
  func eventsAreHandledInArrivalOrder() async throws {
    let flow = try await TestFlow.probe()
    let (answers, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<200 {
      flow.tree.post(
        .delegate(flow.tree.root, screen: nil, event: "note:\(number)", payload: [:], seen: nil),
        reply: { _ in continuation.yield(number) })
    }
    var answered: [Int] = []
    for await number in answers {
      answered.append(number)
      if answered.count == 200 { break }
    }
    #expect(answered == Array(0..<200))
    #expect(try await flow.top.content.body == (0..<200).map(String.init).joined(separator: " "))
  }

  @Test("Rule 2: Different trees never wait for each other")
  func treesNeverWaitForEachOther() async throws {
    let gates = Gates()
    let store = GatedStore(gates: gates)
    let slow = try await TestFlow.probe(gates: gates, store: store)
    slow.tree.post(.delegate(slow.tree.root, screen: nil, event: "note:slow", payload: [:], seen: nil)) { _ in }
    await store.reached(2)
    let quick = try await TestFlow.probe()
    try await quick.tell(.note, "quick")
    #expect(try await quick.top.content.body == "quick")
    #expect(slow.tree.currentTurn == 2)
    gates.open("commit-2")
    #expect(await slow.renderer.state { $0.revision == 2 }.window.top?.content.body == "slow")
  }

  @Test("Rule 2: Work runs concurrently, and its result arrives as another event")
  func workResultIsAnotherEvent() async throws {
    let gates = Gates()
    let flow = try await TestFlow.probe(gates: gates)
    try await flow.tell(.work, "gate")
    try await flow.tell(.note, "meanwhile")
    gates.open("gate", saying: "ready")
    let state = await flow.renderer.state { $0.revision == 3 }
    #expect(state.window.top?.content.body == "meanwhile work=ready")
  }

  @Test("Rule 2: Work is cancelled with its coordinator, and its result is ignored")
  func workIsCancelledWithItsCoordinator() async throws {
    let work = Record<WorkID>()
    let flow = try await TestFlow.probe(work: work)
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .work, "gate")
    try await flow.cancel(flow.path("probe_1"))
    #expect(flow.tree.runningWork == 0)
    // Nothing opens the gate, so the work ends because it is cancelled. Its result is in the queue before the note.
    try await work.reaches(1)
    try await flow.tell(.note, "later")
    #expect(try await flow.top.content.body == "later probe_1=cancelled")
  }

  @Test("Rule 2: The result of work that its coordinator cancelled is ignored")
  func cancelledWorkIsForgotten() async throws {
    let work = Record<WorkID>()
    let flow = try await TestFlow.probe(work: work)
    try await flow.tell(.work, "gate")
    try await flow.tell(.cancelWork)
    #expect(try await flow.state.coordinators[flow.tree.root]?.work.isEmpty == true)
    #expect(flow.tree.runningWork == 0)
    // The result is in the queue before the note.
    try await work.reaches(1)
    try await flow.tell(.note, "later")
    #expect(try await flow.top.content.body == "later")
  }

  @Test("Rule 2: Work starts after the commit, and not at all if the transition is dropped")
  func workStartsOnlyAfterCommit() async throws {
    let gates = Gates()
    let flow = try await TestFlow.probe(gates: gates, store: GatedStore(gates: gates, refuses: 2))
    await #expect(throws: CallError.notStored("RefusesToStore()")) { try await flow.tell(.work, "gate") }
    #expect(flow.tree.runningWork == 0)
  }

  @Test("Rule 2: An abandoned tree ends as failed and answers the waiting callers")
  func abandonedTreeFailsAndAnswersCallers() async throws {
    let gate = Gate()
    let flow = try await TestFlow.start { Stuck(gate: gate) }
    let stuck = Task { try await flow.send("stick") }
    try await gate.reached()
    let answers = Record<Result<TreeAnswer, CallError>>()
    flow.tree.post(
      .delegate(flow.tree.root, screen: nil, event: "note", payload: [:], seen: nil), reply: { answers.append($0) })
    let failure = Failure(code: "not-responding", message: "a handler does not return")
    #expect(flow.tree.waitingCount == 1)
    let since = try #require(flow.tree.handlingSince)
    let state = try await flow.state
    #expect(flow.tree.abandon(handlingSince: .now, published: state, failure: failure) == nil)
    let (publication, answer) = try #require(flow.tree.abandon(handlingSince: since, published: state, failure: failure))
    answer()
    #expect(publication.ended.map(\.outcome) == [.failed(failure)])
    #expect(publication.dismissed.map(\.reason) == [.failed])
    await #expect(throws: CallError.failed(failure)) { try await stuck.value }
    #expect(answers.values == [.failure(.failed(failure))])
    gate.open()
    await #expect(throws: CallError.unknownCoordinator(flow.tree.root)) { try await flow.send("note") }
    #expect(try await flow.state.revision == 1)
  }

  @Test("Rule 2: A tree whose handlers have returned is not abandoned, however long storing takes")
  func slowStoreIsNoReasonToAbandon() async throws {
    let gates = Gates()
    let store = GatedStore(gates: gates)
    let flow = try await TestFlow.probe(gates: gates, store: store)
    let slow = Task { try await flow.tell(.note, "slow") }
    await store.reached(2)
    #expect(flow.tree.currentTurn == 2)
    #expect(flow.tree.handlingSince == nil)
    gates.open("commit-2")
    #expect(try await slow.value == .revision(2))
  }

  @Test("Rule 2: An idle tree has no task, and a full queue refuses events")
  func queueStartsWaitsAndRefuses() {
    var queue = EventQueue<Int>()
    #expect(queue.offer(1, capacity: 2) == .start)
    #expect(queue.offer(2, capacity: 2) == .wait)
    #expect(queue.offer(3, capacity: 2) == .full)
    #expect(queue.offer(4, capacity: nil) == .wait)
    #expect([queue.take(), queue.take(), queue.take(), queue.take()] == [1, 2, 4, nil])
    #expect(queue.currentTurn == nil)
    #expect(queue.offer(5, capacity: 2) == .start)
    #expect(queue.close() == [5])
    #expect(queue.offer(6, capacity: 2) == .closed)
  }
}

/// A store that refuses the given transition, or else blocks the nth transition at the gate `commit-n`, from the second
/// one on.
actor GatedStore: TransitionStore {
  private let gates: Gates
  private let refused: Int?
  private var count = 0
  private var waiters: [(number: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init(gates: Gates, refuses number: Int? = nil) {
    self.gates = gates
    refused = number
  }

  func commit(_ publication: Publication) async throws {
    count += 1
    let number = count
    for waiter in waiters where waiter.number <= number { waiter.continuation.resume() }
    waiters.removeAll { $0.number <= number }
    if number == refused { throw RefusesToStore() }
    if number > 1 && refused == nil { _ = try await gates.wait(at: "commit-\(number)") }
  }

  /// Waits until the nth transition has arrived.
  func reached(_ number: Int) async {
    if count < number { await withCheckedContinuation { waiters.append((number, $0)) } }
  }
}

struct RefusesToStore: Error {}

/// A flow with a handler that does not return until the test releases it.
actor Stuck: Coordinator {
  static let flow = FlowDescription("stuck", title: "Stuck")
  enum Route: Codable { case only }
  struct State: FlowState { var count = 0 }
  let context = Context()
  private let gate: Gate
  private let executor = QueueExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(gate: Gate) { self.gate = gate }

  func start() { router.present(.only) }

  func screen(for route: Route) -> Screen {
    .message(
      "only", title: "Only", body: Text(verbatim: "\(state.count)"), actions: [Action("stick", "Stick"), Action("note", "Note")])
  }

  func receive(_ event: Event, on route: Route) {
    if event.name == "stick" { gate.block() }
    state.count += 1
  }
}

/// Runs an actor on a thread outside Swift's task pool, which has only one thread on a machine with one core.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "stuck")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
