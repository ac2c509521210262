import CoordinatorKit
import Platform

/// Shows what its work finds, and copies what is chosen to a route.
actor Scanner: Coordinator {
  static let flow = FlowDescription("scanner", title: "Scanner")

  /// The networks that the tests let the work find, and how often the work has asked for a viewer.
  final class Air: Sendable {
    private let stream = AsyncStream<[String]>.makeStream()
    let looks = Lock(0)

    func find(_ names: [String]) { stream.continuation.yield(names) }
    func isOver() { stream.continuation.finish() }
    var findings: AsyncStream<[String]> { stream.stream }
  }

  enum Route: Codable, Hashable { case networks, chosen(String) }
  enum Work: Codable { case scan }
  typealias Live = [String]

  let context = Context()
  private let air: Air

  init(air: Air) { self.air = air }

  func start() throws {
    try startWork(.scan)
    router.present(.networks)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .networks:
      .list(
        "networks", title: Text(verbatim: "\(live?.count ?? 0) networks"), items: (live ?? []).map { Item($0, verbatim: $0) },
        actions: [Action("stop", "Stop"), Action("nothing", "Nothing")])
    case .chosen(let name): .message("chosen", title: Text(verbatim: name))
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case Event.select: router.present(.chosen(try event.selection))
    case "stop": cancelWork()
    default: break
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    for await names in air.findings {
      air.looks.withLock { $0 += 1 }
      try await context.untilWatched()
      report(names, in: context)
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
