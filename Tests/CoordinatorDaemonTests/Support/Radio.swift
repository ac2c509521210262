import CoordinatorKit

/// A flow that shows live values, has a timer, and runs once at a time.
actor Radio: Coordinator {
  static let flow = FlowDescription("radio", title: "Radio", isSingleton: true)

  /// The values that the work finds, set by the tests.
  final class Air: Sendable {
    private let stream = AsyncStream<[String]>.makeStream()

    func find(_ names: [String]) { stream.continuation.yield(names) }
    var findings: AsyncStream<[String]> { stream.stream }
  }

  enum Route: Codable, Hashable { case networks, late }
  enum Work: Codable { case scan }
  enum Timer: Codable, Hashable { case late }
  typealias Live = [String]

  let context = Context()
  private let air: Air

  init(air: Air) { self.air = air }

  func start() throws {
    try startWork(.scan)
    try startTimer(.late, after: .seconds(3_600))
    router.present(.networks)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .networks:
      .list("networks", title: "Networks", items: (live ?? []).map { Item($0, verbatim: $0) }).countingDown(to: due(.late))
    case .late: .message("late", title: "Late")
    }
  }

  func timerFired(_ timer: Timer) { router.present(.late) }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    for await names in air.findings {
      try await context.untilWatched()
      report(names, in: context)
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}

/// A flow that only other flows start.
actor Helper: Coordinator {
  static let flow = FlowDescription("helper", title: "Helper", isInternal: true)
  enum Route: Codable, Hashable { case help }
  let context = Context()
  func start() { router.present(.help) }
  func screen(for route: Route) -> Screen { .message("help", title: "Help") }
}
