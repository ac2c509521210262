import CoordinatorKit
import Platform

/// Looks for something every two seconds, and shows what it has found.
actor Radar: Coordinator {
  static let flow = FlowDescription("radar", title: "Radar")

  enum Route: Codable, Hashable { case found, chosen(String) }
  enum Work: Codable { case look }
  typealias Live = Int

  let context = Context()
  private let looks: Lock<Int>

  init(looks: Lock<Int>) { self.looks = looks }

  func start() throws {
    router.present(.found)
    try startWork(.look)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .found: .list("found", title: "Found", items: live.map { [Item("\($0)", verbatim: "Number \($0)")] } ?? [])
    case .chosen(let id): .message("chosen", title: Text(verbatim: id))
    }
  }

  func receive(_ event: Event, on route: Route) throws { router.present(.chosen(try event.selection)) }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    while true {
      try await context.untilWatched()
      let count = looks.withLock { looks in
        looks += 1
        return looks
      }
      report(count, in: context)
      try await context.sleep(for: .seconds(2))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
