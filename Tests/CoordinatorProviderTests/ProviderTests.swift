import CoordinatorBus
import CoordinatorKit
import CoordinatorProvider
import DBus
import Flows
import TestBus
import Testing

@Suite("A provider in Swift", .timeLimit(.minutes(5)))
struct ProviderTests {
  @Test("A flow is served over the bus like a built-in one: forward, Back, refused and finished")
  func visit() async throws {
    let daemon = try await ServedDaemon()
    let provider = try await daemon.serve(.builtIn())
    let root = try await daemon.start("schedule-visit")
    #expect(try await daemon.names(root) == ["select-visit-type"])
    try await daemon.delegate(root, 1, "sick")
    try await daemon.delegate(root, 2, "little")
    #expect(try await daemon.names(root) == ["select-visit-type", "select-pain-level", "faking-it"])
    try await daemon.back(root, 3)
    #expect(try await daemon.names(root) == ["select-visit-type", "select-pain-level"])
    await #expect(throws: DBusError.self) { try await daemon.delegate(root, 2, "tickled") }
    try await daemon.delegate(root, 2, "none")
    try await daemon.delegate(root, 4, "is-fake")
    #expect(
      try await daemon.outcome(root) == [
        .string("finished"),
        .vardict(["visit": .string("sick"), "pain": .string("none"), "faked": .boolean(true)]),
      ])
    try await provider.end()
    try await daemon.end()
  }

  @Test("Work is performed by the provider with its secrets, and its result comes back, also one that cannot be encoded")
  func work() async throws {
    let daemon = try await ServedDaemon()
    let provider = try await daemon.serve(.builtIn())
    let root = try await daemon.start("account")
    for (password, code) in [("wrong", "invalid-credentials"), ("open-sesame", "")] {
      let changes = try await daemon.windowChanges()
      try await daemon.delegate(root, 1, "submit", ["username": .string("demo"), "password": .string(password)])
      try await changes.first { _ in
        let top = try await daemon.screens(root).last
        let codes = top?["messages"]?.elements?.compactMap { $0.vardict?["code"]?.string } ?? []
        return code.isEmpty ? top?["name"] == .string("user-profile") : codes == [code]
      }
    }
    try await provider.end()
    try await daemon.end()
  }

  @Test("Live values are shown while a viewer is present and the work runs, and a list of them can be answered")
  func live() async throws {
    let daemon = try await ServedDaemon()
    var catalogue = FlowCatalogue()
    try catalogue.add { Scan() }
    let changes = try await daemon.windowChanges()
    let provider = try await daemon.serve(catalogue)
    let root = try await daemon.start("scan")
    #expect(try await daemon.items(root) == [])
    try await daemon.attach(root)
    try await changes.first { _ in try await daemon.items(root) == ["one", "two", "three"] }
    try await daemon.delegate(root, 1, "select", ["id": .string("two")])
    #expect(try await daemon.screens(root).last?["title"] == .string("two of 3"))
    try await daemon.back(root, 2)
    #expect(try await daemon.items(root) == ["one", "two", "three"])
    try await provider.end()
    try await daemon.end()
  }

  @Test("Work whose result or error is too long ends, and says so; the whole error is logged once")
  func longResults() async throws {
    let daemon = try await ServedDaemon()
    var catalogue = FlowCatalogue()
    try catalogue.add { Bulky() }
    let changes = try await daemon.windowChanges()
    let complaints = Record<String>()
    let provider = try await daemon.serve(catalogue) { complaints.append($0) }
    let root = try await daemon.start("bulky")
    try await changes.first { _ in
      let titles = try await daemon.screens(root).compactMap { $0["title"]?.string }
      return titles.contains { $0.contains("result: ") && $0.contains("too-long") && $0.contains("the work was done") }
        && titles.contains { $0.contains("error: ") && $0.contains("wordy") }
    }
    #expect(complaints.values.count { $0.hasSuffix(String(repeating: "x", count: 300_000)) } == 1)
    try await provider.end()
    try await daemon.end()
  }

  @Test("A provider that is replaced by another process loses nothing, because it keeps nothing")
  func replaced() async throws {
    let daemon = try await ServedDaemon()
    var provider = try await daemon.serve(.builtIn(), name: "com.example.Pets")
    let root = try await daemon.start("schedule-visit")
    try await daemon.delegate(root, 1, "sick")
    try await provider.end()
    await #expect(throws: DBusError.self) { try await daemon.delegate(root, 2, "little") }
    provider = try await daemon.serve(.builtIn(), name: "com.example.Pets")
    try await daemon.delegate(root, 2, "little")
    #expect(try await daemon.names(root).last == "faking-it")
    try await daemon.back(root, 3)
    #expect(try await daemon.names(root).last == "select-pain-level")
    try await provider.end()
    try await daemon.end()
  }

  @Test("A provider registers its flows again when the daemon is back, and does not start it")
  func registersAgain() async throws {
    let first = try await ServedDaemon()
    let provider = try await first.serve(.builtIn())
    try await first.end()
    let changes = try await first.flowsChanged()
    let second = try await ServedDaemon(on: first.bus)
    try await changes.waitForFlows()
    let root = try await second.start("schedule-visit")
    #expect(try await second.names(root) == ["select-visit-type"])
    try await provider.end()
    try await second.end()
  }

  @Test("Only the daemon may ask a provider")
  func onlyTheDaemonAsks() async throws {
    let daemon = try await ServedDaemon()
    let provider = try await daemon.serve(.builtIn(), name: "com.example.Pets")
    let error = await #expect(throws: DBusError.self) {
      try await daemon.client.call(
        destination: "com.example.Pets", path: "/org/coordinatord/FlowProvider1", interface: Contract.flowProviderInterface,
        member: "Ended", arguments: [.string("flow_1@1"), .string("finished")])
    }
    #expect(error?.isStandard("AccessDenied") == true)
    try await provider.end()
    try await daemon.end()
  }

  @Test("A provider whose name is taken says so, and one without questions ends on request")
  func ends() async throws {
    let daemon = try await ServedDaemon()
    let provider = try await daemon.serve(.builtIn(), name: "com.example.Pets")
    let other = try await Connection.open(.address(daemon.bus.address))
    await #expect(throws: ProviderError.nameTaken("com.example.Pets")) {
      try await Provider(of: .builtIn(), name: "com.example.Pets").serve(on: other)
    }
    let idle = try await Connection.open(.address(daemon.bus.address))
    try await Provider(of: FlowCatalogue(), idleTime: .milliseconds(10)).serve(on: idle)
    try await provider.end()
    try await daemon.end()
  }

  @Test("A provider whose program was replaced continues until the daemon restarts and its work has ended, and then ends")
  func outdated() async throws {
    let first = try await ServedDaemon()
    let (isReplaced, asked) = (Observed(false), Observed(0))
    let (begun, mayEnd) = (Observed(0), Observed(false))
    var catalogue = FlowCatalogue()
    try catalogue.add { Errand(begun: begun, mayEnd: mayEnd) }
    let connection = try await Connection.open(.address(first.bus.address))
    var changes = try await first.flowsChanged()
    let provider = Provider(
      of: FlowServer(catalogue),
      isOutdated: {
        asked.update { $0 += 1 }
        return isReplaced.value
      })
    let serving = Task { try await provider.serve(on: connection) }
    try await changes.waitForFlows()
    _ = try await asked.until { $0 == 1 }
    _ = try await first.start("errand")
    _ = try await begun.until { $0 == 1 }
    isReplaced.update { $0 = true }
    try await first.end()
    changes = try await first.flowsChanged()
    let second = try await ServedDaemon(on: first.bus)
    try await changes.waitForFlows()
    _ = try await asked.until { $0 == 2 }
    // It continues the work that it has begun, and serves until then.
    _ = try await second.start("errand")
    _ = try await begun.until { $0 == 2 }
    mayEnd.update { $0 = true }
    try await serving.value
    await connection.close()
    try await second.end()
  }
}

/// A flow whose work takes as long as a test wants.
private actor Errand: Coordinator {
  static let flow = FlowDescription("errand", title: "Errand")

  enum Route: Codable, Hashable { case list }
  struct Work: Codable {}

  let context = Context()
  let begun: Observed<Int>
  let mayEnd: Observed<Bool>

  init(begun: Observed<Int>, mayEnd: Observed<Bool>) { (self.begun, self.mayEnd) = (begun, mayEnd) }

  func start() throws {
    router.present(.list)
    try startWork(Work())
  }

  func screen(for route: Route) -> Screen { .message("errand", title: "Errand") }

  func receive(_ event: Event, on route: Route) throws {}

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    begun.update { $0 += 1 }
    _ = try await mayEnd.until(\.self)
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}

/// A flow whose work has a result that is too long, or an error that is.
private actor Bulky: Coordinator {
  static let flow = FlowDescription("bulky", title: "Bulky")

  enum Route: Codable, Hashable { case started, ended(String) }
  enum Work: String, Codable { case result, error }

  let context = Context()

  func start() throws {
    router.present(.started)
    try startWork(Work.result)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .started: .message("started", title: "Started")
    case .ended(let title): .message("ended", title: Text(verbatim: title))
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String {
    switch work {
    case .result: String(repeating: "x", count: 300_000)
    case .error: throw Failure(code: "wordy", message: String(repeating: "x", count: 300_000))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<String>) throws {
    guard case .failed(let error) = result else { return }
    if work == .result { try startWork(Work.error) }
    router.present(.ended("\(work.rawValue): \(String("\(error)".unicodeScalars.prefix(200)))"))
  }
}

/// A flow whose list is live.
private actor Scan: Coordinator {
  static let flow = FlowDescription("scan", title: "Scan")

  enum Route: Codable, Hashable { case list, chosen(String) }
  struct Work: Codable {}
  typealias Live = [String]

  let context = Context()

  func start() throws {
    router.present(.list)
    try startWork(Work())
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .list: .list("list", title: "List", items: (live ?? []).map { Item($0, verbatim: $0) })
    case .chosen(let title): .message("chosen", title: Text(verbatim: title))
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    router.present(.chosen("\(try event.selection) of \(live?.count ?? 0)"))
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    try await context.untilWatched()
    report(["one"], in: context)
    report(["one", "two", "three"], in: context)
    try await context.sleep(for: .seconds(3600))
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
