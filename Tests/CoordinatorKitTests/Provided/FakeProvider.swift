import Platform
import TestBus

@testable import CoordinatorKit
@testable import CoordinatorTestKit

/// A provider without a process: its decisions are a closure, which may take as long as the test wants.
final class FakeProvider: FlowProvider {
  typealias Decider = @Sendable (FlowQuestion) async -> FlowAnswer

  private struct State: Sendable {
    var server: ServingProgram? = ServingProgram(name: "com.example.Pets", version: 1, digest: "first")
    var questions: [FlowQuestion] = []
    var isAway = false
  }

  private let state = Lock(State())
  private let decider: Decider
  /// How many questions were asked.
  let count = Observed(0)
  /// The work that was begun, by id, and how to end its waiting.
  let begun = Observed<[String]>([])

  init(_ decider: @escaping Decider) { self.decider = decider }

  var questions: [FlowQuestion] { state.withLock(\.questions) }
  var server: ServingProgram? {
    get { state.withLock(\.server) }
    set { state.withLock { $0.server = newValue } }
  }
  var isAway: Bool {
    get { state.withLock(\.isAway) }
    set { state.withLock { $0.isAway = newValue } }
  }

  func server(of flow: String) -> ServingProgram? { server }
  func isAway(_ flow: String) -> Bool { isAway }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    guard let server else {
      return (.trouble(.gone("nothing serves the flow \(question.instance.flow) at the moment")), history)
    }
    state.withLock { $0.questions.append(question) }
    count.update { $0 += 1 }
    var history = history
    history.ask(server)
    return (await decider(question), history)
  }

  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by server: String, in context: SharedWorkContext
  ) async throws -> String {
    begun.update { $0.append(work.id) }
    // The result comes from elsewhere.
    try await context.sleep(for: .seconds(1_000_000))
    return ""
  }
}

/// A tree of provided flows, whose waits the test ends.
struct ProvidedTree: Sendable {
  let provider: FakeProvider
  let tree: FlowTree
  let renderer = RecordingRenderer()
  let flows: ProvidedFlows
  /// The waits that were begun, with what to do at their end.
  let waits = Record<(delay: Duration, end: @Sendable () -> Void)>()
  let clock = TestClock()

  init(limits: Limits = Limits(), _ decider: @escaping FakeProvider.Decider) {
    provider = FakeProvider(decider)
    flows = ProvidedFlows(provider: provider)
    var catalogue = FlowCatalogue()
    catalogue.provided = flows
    for name in ["pets", "visit"] {
      flows.add(FlowDescription(name, title: Text(verbatim: name)), schemas: FlowSchemas(result: nil, output: nil))
    }
    let clock = clock
    var environment = FlowTree.Environment(
      catalogue: catalogue, limits: limits, observer: renderer, now: { clock.now.microseconds })
    environment.schedule = { [waits] in waits.append(($0, $1)) }
    tree = FlowTree(root: "pets_1", environment: environment)
  }

  /// Makes a call, and waits for its answer.
  @discardableResult
  func call(_ call: TreeCall) async throws(CallError) -> TreeAnswer {
    try await Self.answer { tree.post(call, reply: $0) }
  }

  @discardableResult
  func start(_ flow: String = "pets") async throws(CallError) -> TreeAnswer {
    try await Self.answer { tree.start(flow: flow, input: [:], reply: $0) }
  }

  /// Sends an event from the top screen.
  @discardableResult
  func send(_ event: String) async throws -> TreeAnswer { try await call(await delegate(event)) }

  /// The call that sends an event from the top screen.
  func delegate(_ event: String) async -> TreeCall {
    let top = await tree.state.window.top
    return .delegate(top?.coordinator ?? tree.root, screen: top?.id, event: event, payload: [:], seen: nil)
  }

  /// The instance of the root.
  var instance: FlowInstance {
    get async {
      let record = await tree.state.coordinators[tree.root]
      return FlowInstance(flow: record?.flow ?? "", path: tree.root, startedAt: record?.startedAt ?? 0)
    }
  }

  static func answer(_ begin: (@escaping FlowTree.Reply) -> Void) async throws(CallError) -> TreeAnswer {
    try await withCheckedContinuation { continuation in begin { continuation.resume(returning: $0) } }.get()
  }
}

extension FlowAnswer {
  /// A decision that presents or changes one screen.
  static func shows(_ name: String, state: String = "", _ operations: FlowDecision.Operation...) -> FlowAnswer {
    .decided(
      FlowDecision(
        state: state, operations: operations,
        screens: ["only": .named(name)]))
  }

  /// A decision that presents the first screen.
  static var first: FlowAnswer { .shows("first", .present(key: "only", as: nil, animated: true)) }
}

extension DescribedScreen {
  /// A menu.
  static func named(_ name: String) -> DescribedScreen {
    DescribedScreen(.menu(name, title: Text(verbatim: name), choices: [Action("go", "Go"), Action("work", "Work")]))
  }
}

extension FlowTree {
  /// Calls a closure before the tree takes another event.
  func block(_ body: @Sendable () -> Void) { body() }
}
