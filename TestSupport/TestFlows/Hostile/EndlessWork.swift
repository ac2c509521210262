import CoordinatorKit

/// A flow with several kinds of work that never end, and one that does, to check that work still gets done.
actor EndlessWork: Coordinator {
  static let flow = FlowDescription(
    "endless-work", title: "Endless work", summary: "Does work that never ends.",
    input: Form(Field("kind", .choice(title: "Kind", of: Kind.allCases)), Field("count", .integer(title: "How many"))))

  /// The behavior of the work.
  enum Kind: String, Codable, CaseIterable, MenuChoice {
    /// Finishes at once.
    case brief
    /// Sleeps until it is cancelled.
    case wait
    /// Sleeps, and ignores cancellation.
    case ignore
    /// Yields forever, and ignores cancellation.
    case yield
    /// Blocks its thread.
    case block
    /// Sleeps, and blocks the thread that cancels it.
    case cancel
    /// Spins on its thread.
    case spin

    var title: Text { Text(verbatim: rawValue) }
  }

  enum Route: Codable { case only }
  struct State: FlowState { var done = 0 }
  struct Input: Codable {
    var kind: Kind
    var count: Int
  }
  struct Work: Codable { var kind: Kind }

  let context = Context()

  func start() { router.present(.only) }

  func screen(for route: Route) -> Screen {
    .message("only", title: "Endless work", body: Text(verbatim: "\(state.done)"), actions: [Action("go", "Go")])
  }

  func receive(_ event: Event, on route: Route) throws {
    for _ in 0..<input.count { try startWork(Work(kind: input.kind)) }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    switch work.kind {
    case .brief: break
    case .wait: try await Task.sleep(for: .seconds(1_000_000))
    case .ignore: while true { try? await Task.sleep(for: .seconds(1_000_000)) }
    case .yield: while true { await Task.yield() }
    case .block: Endless.block()
    case .cancel:
      try await withTaskCancellationHandler {
        try await Task.sleep(for: .seconds(1_000_000))
      } onCancel: {
        Endless.block()
      }
    case .spin: Endless.spin()
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) { state.done += 1 }
}
