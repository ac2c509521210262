import CoordinatorKit

/// A flow whose list is live: work finds another network every quarter of a second while a renderer shows the list.
actor Radio: Coordinator {
  static let flow = FlowDescription("radio", title: "Radio", summary: "A list that work fills while it is shown.")

  enum Route: RouteValue {
    case networks
    case chosen(String)
  }

  struct Work: Codable {}
  typealias Live = [String]

  let context = Context()

  func start() throws {
    router.present(.networks)
    try startWork(Work())
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .networks:
      .list("networks", title: "Networks", items: (live ?? []).map { Item($0, verbatim: $0) }, actions: [Action("skip", "Skip")])
    case .chosen(let network):
      .message("chosen", title: Text(verbatim: "Chosen: \(network)"), actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.networks, "skip"): router.present(.chosen("none"))
    case (.networks, _): router.present(.chosen(try event.selection))
    case (.chosen, _): finish()
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    var found: [String] = []
    while true {
      try await context.untilWatched()
      found.append("net-\(found.count)")
      report(found, in: context)
      try await context.sleep(for: found.count < 20 ? .milliseconds(250) : .seconds(3600))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
